"""A syntax tree in plain objects, read from tree-sitter's in one pass."""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

STRINGS = frozenset(("string_literal", "string", "character_literal"))
COMMENTS = frozenset(("comment", "line_comment", "block_comment"))


class Node:
    """A node; its tokens are those from `first` up to, and without, `last`."""

    __slots__ = ("children", "field", "first", "is_token", "label", "last", "type")

    def __init__(self, kind: str, field: str | None) -> None:
        self.type = kind
        self.field = field
        self.children: list[Node] = []
        self.first = self.last = 0
        self.is_token = False  # its text is a token; a string's parts are none of their own
        self.label: object = None  # equal for subtrees that print alike

    def child(self, field: str) -> "Node":
        """The child in that place; an AttributeError where there is none."""
        for node in self.children:
            if node.field == field:
                return node
        raise AttributeError(field)

    def has(self, field: str) -> bool:
        return any(node.field == field for node in self.children)


@dataclass(frozen=True, slots=True)
class Tree:
    root: Node
    subtrees: list[object]  # the labels of all nodes that have children
    tokens: list[tuple[str, str]]  # type and text, in order
    same: dict[int, int]  # tokens of no width that stand where a later one stands → that one
    broken: bool  # the parser met something that it could not read


@cache
def parser(language: str) -> Any:
    import tree_sitter

    grammar = import_module(f"tree_sitter_{language}")
    return tree_sitter.Parser(tree_sitter.Language(grammar.language()))


@cache
def grammar_version(language: str) -> str:
    return f"tree-sitter-{language} {version(f'tree-sitter-{language}')}"


@lru_cache(maxsize=16)  # an answer is read for several measures, a reference for many answers
def read_tree(source: str, language: str, published: bool = False) -> Tree:
    """Reads any text; with `published`, tokens are cut by the published scripts' wrong columns."""
    data = source.encode("utf-8", "surrogatepass")
    parsed = parser(language).parse(data)
    broken = parsed.root_node.has_error
    lines = source.split("\n") if published and len(data) != len(source) else None
    return _Reader(data, broken, published, lines).read(parsed)


class _Reader:
    def __init__(self, data: bytes, broken: bool, comments: bool, lines: list[str] | None) -> None:
        self._data = data
        self._lines = lines
        self._broken = broken
        self._comments = comments  # whether they are part of the subtrees that they stand in
        self._spans: dict[tuple[int, int], int] = {}
        self.subtrees: list[object] = []
        self.tokens: list[tuple[str, str]] = []
        self.same: dict[int, int] = {}

    def read(self, parsed: Any) -> Tree:
        """Walks without recursion: answers may be nested as deeply as they like."""
        cursor = parsed.walk()
        root = self._node(cursor)
        path = [root]
        hidden = 0  # how deep below a string, whose parts are no tokens of their own
        while True:
            if cursor.goto_first_child():
                hidden += path[-1].type in STRINGS
                path.append(self._node(cursor, path[-1]))
                continue
            self._token(path[-1], cursor, hidden)
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return Tree(root, self.subtrees, self.tokens, self.same, self._broken)
                path.pop()
                hidden -= path[-1].type in STRINGS
                self._close(path[-1], cursor, hidden)
            path[-1] = self._node(cursor, path[-2])

    def _node(self, cursor: Any, parent: Node | None = None) -> Node:
        found = cursor.node
        node = Node(found.type, cursor.field_name)
        node.first = len(self.tokens)
        node.label = found.is_named
        if parent is not None:
            parent.children.append(node)
        return node

    def _token(self, node: Node, cursor: Any, hidden: int) -> None:
        """A leaf."""
        node.is_token = node.type not in COMMENTS
        if node.is_token and not hidden:
            self._add(node, cursor.node)
        node.last = len(self.tokens)
        shown = node.label and (self._comments or node.type not in COMMENTS)
        node.label = node.type if shown else None

    def _close(self, node: Node, cursor: Any, hidden: int) -> None:
        """A node whose children are all read."""
        found = cursor.node
        node.is_token = node.type in STRINGS
        if node.is_token and not hidden:
            self._add(node, found)
        node.last = len(self.tokens)
        if self._broken and found.has_error:
            node.label = str(found)
        else:
            parts = [(c.field, c.label) for c in node.children if c.label is not None]
            node.label = hash((node.type, *parts)) if parts else node.type
        self.subtrees.append(node.label)

    def _add(self, node: Node, found: Any) -> None:
        start, end = found.start_byte, found.end_byte
        if self._lines is None:
            text = self._data[start:end].decode("utf-8", "surrogatepass")
        else:
            text = _by_columns(self._lines, found.start_point, found.end_point)
        if (earlier := self._spans.get((start, end))) is not None:
            self.same[earlier] = len(self.tokens)
            for known, later in self.same.items():
                if later == earlier:
                    self.same[known] = len(self.tokens)
        self._spans[start, end] = len(self.tokens)
        self.tokens.append((node.type, text))


def _by_columns(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Cuts lines of characters at columns of bytes, which is wrong after anything but ASCII."""
    if start[0] == end[0]:
        return lines[start[0]][start[1] : end[1]]
    between = lines[start[0] + 1 : end[0]]
    return "".join([lines[start[0]][start[1] :], *between, lines[end[0]][: end[1]]])
