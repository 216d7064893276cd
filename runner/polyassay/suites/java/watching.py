"""Lets an evaluation that only counts say what it saw: calls, values, and checks that failed.

AixBench's evaluations return how many cases passed, and swallow every exception. Here, their
source is changed so that it also notes what the candidate was called with, what came back, and
which check did not hold. A note never changes what is counted: values are handed on as they are,
and only names and plain getters are read a second time, where the evaluation reads them itself.
What is put in stands between two marks on one line; `text.as_published` takes it out again.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import tree_sitter
import tree_sitter_java
from tree_sitter import Node

from polyassay.suites.text import MARK

WATCH = "PolyAssayWatch"
NOTES = "polyAssayNotes"  # the method that an evaluation gets
_PRIMITIVES = ("boolean", "byte", "short", "char", "int", "long", "float", "double")
_LITERALS = re.compile(r"\w*_literal|true|false|null_literal")
_GETTERS = {"getKey", "getValue", "get", "size", "length"}
_LEAVES = {"return_statement", "break_statement", "continue_statement", "throw_statement"}
_TEXT = 100  # characters of a check that are told


def watch_class(package: str, tests: str) -> str:
    """The source of the class that keeps the notes; `tests` is the evaluations' package."""
    template = Path(__file__).with_name("Watch.java").read_text("utf-8")
    primitives = "".join(
        f"  public static {name} saw(int called, {name} value) {{\n"
        f"    saw(called, (Object) value);\n    return value;\n  }}\n\n"
        for name in _PRIMITIVES
    )
    return template.format(package=package, name=WATCH, tests=tests, primitives=primitives)


def watched(source: str, package: str) -> str:
    """An evaluation that notes what it saw, and tells it by a method of its own."""
    text = source.encode()
    root = _parser().parse(text).root_node
    watching = _Watching(text, f"{package}.{WATCH}")
    for method in _all(root, "method_declaration"):
        watching.method(method)
    body = next(_all(root, "class_body"))
    notes = f"public java.util.List<String> {NOTES}() {{ return {watching.watch}.notes(); }} "
    watching.put(body.end_byte - 1, notes)
    return watching.result()


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))


def _all(node: Node, *types: str) -> Iterator[Node]:
    if node.type in types:
        yield node
    for child in node.children:
        yield from _all(child, *types)


@dataclass(slots=True)
class _Watching:
    """Where to put what into one evaluation's source."""

    text: bytes
    watch: str
    insertions: list[tuple[int, int, int, str]] = field(default_factory=list)
    counters: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)  # variables with what the candidate returned

    def method(self, method: Node) -> None:
        """A method that counts passed cases; any other is left as it is."""
        self.counters = {
            self.of(first)
            for made in _all(method, "array_creation_expression")
            if (first := _first_element(made)) is not None and first.type == "identifier"
        }
        if not self.counters or not self.counts(method):
            return
        root = method
        while root.parent is not None:
            root = root.parent
        declared = ("variable_declarator", "formal_parameter", "enhanced_for_statement")
        names = (each.child_by_field_name("name") for each in _all(root, *declared))
        self.variables = {self.of(name) for name in names if name is not None}
        self.given = {
            self.of(name)
            for each in _all(method, "variable_declarator", "assignment_expression")
            if (name := each.child_by_field_name("name") or each.child_by_field_name("left"))
            and any(self.is_call(inner) for inner in _all(each, "method_invocation"))
        }
        self.walk(method)

    def walk(self, node: Node) -> None:
        """Before what is inside of a node, and after it."""
        if node.type == "if_statement":
            self.check(node)
        elif node.type == "try_statement":
            self.attempt(node)
        elif self.is_call(node):
            self.call(node)
        for child in node.children:
            self.walk(child)

    def check(self, node: Node) -> None:
        """A condition that decides whether a case passes."""
        condition = _field(node, "condition").named_children[0]
        other = node.child_by_field_name("alternative")
        if not self.counts(_field(node, "consequence")) or (other and self.counts(other)):
            return
        line = condition.start_point[0] + 1
        self.around(condition, "(", f") || {self.watch}.{self.failing(condition, line)}")

    def failing(self, condition: Node, line: int) -> str:
        """The call that notes why a condition does not hold."""
        sides = self.sides(condition)
        if sides:
            return f"differs({line}, {sides[0]}, {sides[1]})"
        # A name alone says no more than that it is false.
        read = [] if condition.type == "identifier" else self.readable(condition)
        values = {each: f"{_text(each)}, {each}" for each in read}
        told = " ".join(self.of(condition).split())
        told = told if len(told) <= _TEXT else told[:_TEXT] + "…"
        return f"missed({', '.join([str(line), _text(told), *values.values()])})"

    def readable(self, condition: Node) -> list[str]:
        """What can be read again in a condition: of one that stops halfway, its variables only."""
        stops = any(
            each.type == "ternary_expression" or _field(each, "operator").type in ("&&", "||")
            for each in _all(condition, "binary_expression", "ternary_expression")
        )
        found: list[str] = []
        waiting = [condition]
        while waiting:
            node = waiting.pop(0)
            simple = node.type == "identifier" if stops else not _LITERALS.fullmatch(node.type)
            if simple and self.is_simple(node):
                found.append(self.of(node))
            else:
                waiting = _operands(node) + waiting
        return found

    def sides(self, condition: Node) -> tuple[str, str] | None:
        """What was expected and what was found, of a condition that compares the two."""
        pair = _compared(condition)
        if not pair:
            return None
        found = [self.found(side) for side in pair]
        if bool(found[0]) == bool(found[1]):
            return None
        expected = pair[1] if found[0] else pair[0]
        return (self.of(expected), found[0] or found[1]) if self.is_simple(expected) else None

    def found(self, node: Node) -> str:
        """Reads the candidate's side again, without a call; empty where it is not one."""
        if node.type == "identifier" and self.of(node) in self.given:
            return self.of(node)
        return f"{self.watch}.LATEST" if self.is_call(node) else ""

    def attempt(self, node: Node) -> None:
        """What is caught: noted, unless being thrown is what makes the case pass."""
        body = _field(node, "body")
        for clause in (child for child in node.children if child.type == "catch_clause"):
            block = _field(clause, "body")
            parameter = next(_all(clause, "catch_formal_parameter"))
            name = self.of(_field(parameter, "name"))
            if not self.counts(block):
                line = clause.start_point[0] + 1
                self.put(block.start_byte + 1, f" {self.watch}.threw({line}, {name});")
            elif not self.counts(body) and body.named_children[-1].type not in _LEAVES:
                line = body.named_children[-1].start_point[0] + 1
                self.put(body.end_byte - 1, f"{self.watch}.threwNothing({line}); ")

    def call(self, node: Node) -> None:
        """A call of the candidate: its arguments before it, what it returned after it."""
        arguments = _field(node, "arguments").named_children
        told = [
            f"(Object) {self.of(each)}"  # an array alone would be all the arguments
            if self.is_simple(each)
            else f"new {self.watch}.Source({_text(' '.join(self.of(each).split()))})"
            for each in arguments
            if not each.type.endswith("comment")
        ]
        name = _text(self.of(_field(node, "name")))
        noted = f"{self.watch}.call({', '.join([name, *told])})"
        statement = node.parent
        if statement is None or statement.type != "expression_statement":
            self.around(node, f"{self.watch}.saw({noted}, ", ")")
        elif statement.parent is not None and statement.parent.type == "block":
            self.around(statement, f"{noted}; ", f" {self.watch}.done();")
        else:
            self.around(statement, f"{{ {noted}; ", f" {self.watch}.done(); }}")

    def is_call(self, node: Node) -> bool:
        return (
            node.type == "method_invocation"
            and (called := node.child_by_field_name("object")) is not None
            and self.of(called) in ("solution", "this.solution", "super.solution")
        )

    def is_simple(self, node: Node) -> bool:
        """Whether reading it twice is like reading it once, whatever the candidate did."""
        inner = node.named_children
        match node.type:
            case "identifier":
                return self.of(node) in self.variables
            case "array_access":
                return all(map(self.is_simple, inner))
            case "method_invocation":
                called = node.child_by_field_name("object")
                return (
                    called is not None
                    and called.type == "identifier"
                    and self.of(called) in self.variables - self.given
                    and self.of(_field(node, "name")) in _GETTERS
                    and all(map(self.is_simple, _field(node, "arguments").named_children))
                )
            case _:
                return _LITERALS.fullmatch(node.type) is not None

    def counts(self, node: Node) -> bool:
        """Whether a passed case is counted in it."""
        return any(
            self.of(name) in self.counters
            for each in _all(node, "update_expression", "assignment_expression")
            for name in _all(each, "identifier")
        )

    def of(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode()

    def around(self, node: Node, before: str, after: str) -> None:
        """Of nodes that begin or end together, the outer one's marks are the outer ones."""
        self.put(node.start_byte, before)
        size = node.end_byte - node.start_byte
        self.insertions.append((node.end_byte, 0, size, after))

    def put(self, place: int, what: str) -> None:
        self.insertions.append((place, 1, len(self.insertions), what))

    def result(self) -> str:
        parts, before = [], 0
        for place, _, _, what in sorted(self.insertions):
            parts += [self.text[before:place].decode(), f"{MARK}{what}{MARK}"]
            before = place
        return "".join([*parts, self.text[before:].decode()])


def _compared(condition: Node) -> tuple[Node, Node] | None:
    """The two sides of ==, a.equals(b), Objects.equals(a, b) or Arrays.equals(a, b)."""
    if condition.type == "binary_expression" and _field(condition, "operator").type == "==":
        return _field(condition, "left"), _field(condition, "right")
    if condition.type != "method_invocation" or _field(condition, "name").text != b"equals":
        return None
    called = condition.child_by_field_name("object")
    arguments = _field(condition, "arguments").named_children
    if called is not None and called.text in (b"Arrays", b"Objects") and len(arguments) == 2:
        return arguments[0], arguments[1]
    return (called, arguments[0]) if called is not None and len(arguments) == 1 else None


def _operands(node: Node) -> list[Node]:
    """What is inside of an expression, without the names of methods and fields."""
    names = {node.child_by_field_name(name) for name in ("name", "field")}
    return [child for child in node.named_children if child not in names]


def _first_element(made: Node) -> Node | None:
    value = made.child_by_field_name("value")
    return value.named_children[0] if value is not None and value.named_children else None


def _field(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise LookupError(f"{node.type} has no {name}")
    return found


def _text(words: str) -> str:
    """As a literal of Java's; its escapes are JSON's."""
    return json.dumps(words)
