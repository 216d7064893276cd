"""Changes of Java code, by tree-sitter's syntax tree."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polyassay.candidates.java.syntax import syntax_tree
from polyassay.harness import Harness
from polyassay.harness.java.build import class_files
from polyassay.harness.java.harness import JavaHarness
from polyassay.model import Program, Task
from polyassay.trust.mutants.change import CodeChange, Kind

_OPERATORS: Mapping[str, str] = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "<<": ">>",
    ">>": "<<",
    ">>>": "<<",
    "&": "|",
    "|": "&",
    "^": "&",
}
_BOUNDARIES: Mapping[str, str] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITES: Mapping[str, str] = {
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
}
_BINARY = (
    (Kind.OPERATOR, _OPERATORS),
    (Kind.BOUNDARY, _BOUNDARIES),
    (Kind.CONDITION, _OPPOSITES),
)
_CONDITIONAL = frozenset(
    ("if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression")
)
_CHANGED_THEMSELVES = frozenset(("binary_expression", "unary_expression"))
_INTEGERS = frozenset(
    ("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal")
) | {"binary_integer_literal"}
_NUMBERS = frozenset(("byte", "short", "int", "long", "float", "double", "char"))
_FUNCTIONS = frozenset(("method_declaration", "lambda_expression"))


class JavaMutations:
    def changes(self, source: str, first: int, last: int) -> Sequence[CodeChange]:
        found = []
        for node in _behaviour(syntax_tree(source.encode())):
            line = node.start_point[0] + 1
            if first <= line <= last:
                found += [
                    CodeChange(kind, old.start_point[0] + 1, old.start_byte, old.end_byte, text)
                    for old, kind, text in _replacements(node)
                ]
        return found

    def fingerprint(self, task: Task, program: Program, harness: Harness) -> bytes:
        """Of the class files; lines keep their numbers, because a change adds none."""
        assert isinstance(harness, JavaHarness)
        compiling = class_files(task, harness.plan(task), program)
        classes = harness.compiler.carry_out(compiling)
        digest = hashlib.sha256()
        for name, code in sorted(classes.items()):
            digest.update(f"{name} {len(code)}\n".encode() + code)
        return digest.digest() if classes else b""


def _behaviour(node: Any) -> Iterator[Any]:
    """All named nodes that do something, in the order of the source; not annotations."""
    yield node
    if node.type.endswith("annotation"):
        return
    for child in node.named_children:
        yield from _behaviour(child)


def _replacements(node: Any) -> Iterator[tuple[Any, Kind, str]]:
    yield from _operators(node)
    match node.type:
        case "unary_expression":
            operator = node.child_by_field_name("operator").type
            kind = Kind.CONDITION if operator == "!" else Kind.OPERATOR
            if operator in ("!", "-", "~"):
                yield node, kind, f"({_text(node.child_by_field_name('operand'))})"
        case "expression_statement" if node.named_children[0].type == "method_invocation":
            yield node, Kind.CALL, ";"
        case "method_invocation":
            yield from ((node, Kind.CALL, text) for text in _without_call(node))
        case "return_statement" if node.named_children:
            yield from ((node.named_children[0], Kind.RETURN, text) for text in _returned(node))
        case _:
            yield from ((node, Kind.CONSTANT, text) for text in _other_constants(node))
    if node.type in _CONDITIONAL:
        yield from _negated(node.child_by_field_name("condition"))


def _operators(node: Any) -> Iterator[tuple[Any, Kind, str]]:
    """The operator alone is replaced."""
    operator = node.child_by_field_name("operator")
    match node.type:
        case "binary_expression":
            for kind, table in _BINARY:
                if operator.type in table:
                    yield operator, kind, table[operator.type]
        case "assignment_expression" if operator.type[:-1] in _OPERATORS:
            yield operator, Kind.OPERATOR, f"{_OPERATORS[operator.type[:-1]]}="
        case "update_expression":
            for child in node.children:
                if child.type in ("++", "--"):
                    yield child, Kind.OPERATOR, "--" if child.type == "++" else "++"


def _negated(condition: Any) -> Iterator[tuple[Any, Kind, str]]:
    """Not of comparisons, which are changed themselves."""
    if condition is not None and condition.type == "parenthesized_expression":
        condition = condition.named_children[0]
    if condition is not None and condition.type not in _CHANGED_THEMSELVES:
        yield condition, Kind.CONDITION, f"!({_text(condition)})"


def _without_call(node: Any) -> Iterator[str]:
    """x.trim() becomes x, and abs(x) becomes x; javac says whether that is a program."""
    receiver = node.child_by_field_name("object")
    arguments = node.child_by_field_name("arguments").named_children
    if receiver is not None:
        yield f"({_text(receiver)})"
    elif arguments:
        yield f"({_text(arguments[0])})"


def _returned(node: Any) -> Iterator[str]:
    """The default of the method's type; for a boolean, the opposite."""
    function = node.parent
    while function is not None and function.type not in _FUNCTIONS:
        function = function.parent
    declared = function.child_by_field_name("type") if function is not None else None
    name = _text(declared) if declared is not None else ""
    value = _text(node.named_children[0])
    if name == "boolean":
        default = "" if value in ("true", "false") else f"!({value})"  # these are changed anyway
    else:
        default = "0" if name in _NUMBERS else '""' if name == "String" else "null"
    if default and default != value:
        yield default


def _other_constants(node: Any) -> Sequence[str]:
    text = _text(node)
    if node.type in _INTEGERS:
        return [f"({text} + 1)", f"({text} - 1)"]
    match node.type:
        case "decimal_floating_point_literal":
            return [f"({text} + 1)"]
        case "string_literal":
            return ['"X"' if text == '""' else '""']
        case "character_literal":
            return [f"((char) ({text} + 1))"]
        case "true" | "false":
            return ["false" if text == "true" else "true"]
    return []


def _text(node: Any) -> str:
    return str(node.text.decode())
