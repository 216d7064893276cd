"""Assertions of the form f(arguments) == value, as values that can be changed."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class CallAssertion:
    """One assertion: the function is called with these arguments, and returns this."""

    arguments: tuple[Any, ...]
    value: Any
    wrapper: str = ""  # a function around the call: list(f(x)) == …

    def with_arguments(self, arguments: Sequence[Any]) -> "CallAssertion":
        return replace(self, arguments=tuple(arguments))

    def with_value(self, value: Any) -> "CallAssertion":
        return replace(self, value=value)

    def expression(self, function: str) -> str:
        call = f"{function}({', '.join(map(repr, self.arguments))})"
        return f"{f'{self.wrapper}({call})' if self.wrapper else call} == {self.value!r}"


CallAssertions = tuple[CallAssertion, ...]


def cases_of(tests: Sequence[str]) -> tuple[str, CallAssertions] | None:
    """The function's name and the cases; None where a test is anything but such an assertion."""
    found = [_case(test) for test in tests]
    names = {each[0] for each in found if each}
    cases = tuple(each[1] for each in found if each)
    if len(names) != 1 or len(cases) < len(found):
        return None
    same = len({len(case.arguments) for case in cases}) == 1
    return (names.pop(), cases) if same else None


def _case(test: str) -> tuple[str, CallAssertion] | None:
    try:
        (statement,) = ast.parse(test.strip()).body
        asserted: Any = getattr(statement, "test", None) or getattr(statement, "value", None)
        (value,) = asserted.comparators
        call, wrapper = asserted.left, ""
        if _is_wrapped(call):
            wrapper, call = call.func.id, call.args[0]
        if call.keywords or not isinstance(asserted.ops[0], ast.Eq | ast.Is):
            return None
        arguments = tuple(ast.literal_eval(each) for each in call.args)
        return call.func.id, CallAssertion(arguments, ast.literal_eval(value), wrapper)
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None


def _is_wrapped(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("set", "list", "tuple", "sorted")
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Call)
    )
