"""Finds out what kind of Java an answer is, by javalang, and by tree-sitter where that stops.

javalang knows Java up to 8; tree-sitter-java goes on from there and tells whether there was an
error. Where both fail a look at the tokens has to do: javac will say what is wrong.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any

import javalang
import tree_sitter
import tree_sitter_java

from polyassay.candidates.java.tokens import TYPE_WORDS, Token, blank, directives, edited

READABLE = 1 << 15  # characters; either parser may take a second for that much
FAR = 100  # tokens; no head of a method is longer
NOT_METHODS = frozenset(
    (
        *("if", "for", "while", "switch", "catch", "synchronized", "try", "do", "else"),
        *("return", "new", "throw"),
    )
)
ACCESS = frozenset(("public", "protected", "private"))
SEVERAL = re.compile(r"\)\s*\n\s*(?!throws\b)\w")  # declarations, each in a line of its own
DEFAULTS = {"boolean": "false", "char": "'\\0'", "void": ""} | dict.fromkeys(
    ("byte", "short", "int", "long", "float", "double"), "0"
)
TYPE_NODES = (
    *("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"),
    "annotation_type_declaration",
)

# The grammar also takes methods and statements for a file's parts.
BESIDE_TYPES = ("package_declaration", "import_declaration", "line_comment", "block_comment", ";")


class SourceKind(StrEnum):
    UNIT = "unit"  # types, perhaps with package and imports
    MEMBERS = "members"  # methods, perhaps with fields and nested types
    BODY = "body"  # statements


@dataclass(frozen=True, slots=True)
class TypeShape:
    name: str
    methods: frozenset[str]
    extends: bool


@dataclass(frozen=True, slots=True)
class Shape:
    kind: SourceKind
    types: tuple[TypeShape, ...] = ()
    parsed: bool = True


@dataclass(frozen=True, slots=True)
class Signature:
    """What a task says about the method that its tests call."""

    text: str
    name: str
    static: bool
    public: bool
    default: str  # what an empty method returns; empty for void


def read_shape(code: str, found: list[Token]) -> Shape:
    guess = _guess(found)
    kinds = sorted(SourceKind, key=lambda kind: kind is not guess)
    lines, modules = [], []
    for _, name, place in directives(found):
        lines.append(blank(code, found[place[0]], found[place[-1]]))
        if name.startswith("module "):
            modules.append(lines[-1])  # neither parser knows imports of modules
    bare = edited(code, lines) if lines else code  # methods cannot have imports around them
    code = edited(code, modules) if modules else code
    if len(code) <= READABLE:
        for read in (_by_javalang, _by_tree_sitter):
            for kind in kinds:
                shape = read(code if kind is SourceKind.UNIT else bare, kind)
                if shape is not None:
                    return shape
    return Shape(guess, _types_in_tokens(found), parsed=False)


def is_unit(code: str) -> bool:
    """Whether it reads as a whole file."""
    if len(code) > READABLE:
        return False
    return any(read(code, SourceKind.UNIT) for read in (_by_javalang, _by_tree_sitter))


@cache
def read_signature(text: str) -> Signature:
    """A signature's method; it has no name where the signature is no single method's."""
    text = re.sub(r"[\s;{]+$", "", text.strip())
    try:
        unit = javalang.parse.parse(f"class X {{ {text} {{ }} }}")
        (method,) = unit.types[0].body
        plain = method.return_type is None or not method.return_type.dimensions
        kind = "void" if method.return_type is None else method.return_type.name
        default = DEFAULTS.get(kind, "null") if plain else "null"
        modifiers = method.modifiers
        return Signature(text, method.name, "static" in modifiers, "public" in modifiers, default)
    except Exception:  # javalang raises what it likes
        words = re.findall(r"\w+", text.partition("(")[0])
        kind = next((word for word in words if word in DEFAULTS), "")
        several = ";" in text or SEVERAL.search(text)
        typed = [word for word in words if word not in ACCESS]  # a constructor returns nothing
        single = "(" in text and not several and len(typed) > 1 and not TYPE_WORDS & set(words)
        return Signature(
            text,
            words[-1] if single else "",
            "static" in words,
            "public" in words,
            DEFAULTS.get(kind, "null"),
        )


def _guess(found: list[Token]) -> SourceKind:
    """By the tokens outside of all braces: a method's head, else a type's, else statements."""
    if method_names([token for token in found if token.depth == 0]):
        return SourceKind.MEMBERS
    return SourceKind.UNIT if _types_in_tokens(found) else SourceKind.BODY


def method_names(members: list[Token]) -> list[int]:
    """Where methods are declared among tokens of one depth: a type, a name, (…) and a brace."""
    closers = _closers(members)
    return [
        index
        for index in range(1, len(members) - 1)
        if members[index + 1].text == "("
        and _may_name_method(members[index - 1], members[index])
        and _leads_to_brace(members, closers.get(index + 1))
    ]


def _may_name_method(kind: Token, name: Token) -> bool:
    if name.kind != "word" or {name.text, kind.text} & NOT_METHODS:
        return False
    return kind.kind == "word" or kind.text in (">", "]")


def _leads_to_brace(members: list[Token], closer: int | None) -> bool:
    """Whether only a list of exceptions stands between the parentheses and a brace."""
    if closer is None:
        return False
    for token in members[closer + 1 : closer + 1 + FAR]:
        if token.text == "{":
            return True
        if token.kind != "word" and token.text not in (",", ".", "[", "]"):
            return False
    return False


def _closers(members: list[Token]) -> dict[int, int]:
    """Each opening parenthesis and the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(members):
        if token.text == "(":
            opened.append(index)
        elif token.text == ")" and opened:
            found[opened.pop()] = index
    return found


def _types_in_tokens(found: list[Token]) -> tuple[TypeShape, ...]:
    pairs = pairwise(found)
    return tuple(
        TypeShape(name.text, frozenset(), extends=False)
        for word, name in pairs
        if word.depth == 0 and word.text in TYPE_WORDS and name.kind == "word"
    )


def _by_javalang(code: str, kind: SourceKind) -> Shape | None:
    try:
        unit = javalang.parse.parse(_wrapped(code, kind))
    except Exception:  # javalang raises what it likes
        return None
    if kind is not SourceKind.UNIT:
        main = unit.types[0]
        whole = len(unit.types) == 1 and (kind is SourceKind.BODY or bool(main.methods))
        return Shape(kind) if whole else None
    types = tuple(
        TypeShape(
            item.name,
            frozenset(method.name for method in item.methods),
            extends=bool(getattr(item, "extends", None)),
        )
        for item in unit.types
    )
    return Shape(kind, types) if types else None


def _by_tree_sitter(code: str, kind: SourceKind) -> Shape | None:
    root = syntax_tree(_wrapped(code, kind).encode("utf-8", "replace"))
    if root.has_error:
        return None
    types = [node for node in root.children if node.type in TYPE_NODES]
    if kind is SourceKind.UNIT:
        proper = all(node.type in (*TYPE_NODES, *BESIDE_TYPES) for node in root.children)
        return Shape(kind, tuple(map(_type_shape, types))) if types and proper else None
    if len(types) != 1 or len(root.children) != 1:
        return None
    whole = kind is SourceKind.BODY or bool(_type_shape(types[0]).methods)
    return Shape(kind) if whole else None


def syntax_tree(source: bytes) -> Any:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    return parser.parse(source).root_node


def _type_shape(node: Any) -> TypeShape:
    body = node.child_by_field_name("body")
    members = body.children if body is not None else []
    names = (m.child_by_field_name("name") for m in members if m.type == "method_declaration")
    return TypeShape(
        _text(node.child_by_field_name("name")),
        frozenset(_text(name) for name in names),
        node.child_by_field_name("superclass") is not None,
    )


def _text(node: Any) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text else ""


def _wrapped(code: str, kind: SourceKind) -> str:
    """The answer as a whole file; line breaks keep its comments to itself."""
    match kind:
        case SourceKind.UNIT:
            return code
        case SourceKind.MEMBERS:
            return f"class X {{\n{code}\n}}"
        case SourceKind.BODY:
            return f"class X {{ Object x() {{\n{code}\n}} }}"
