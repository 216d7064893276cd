"""Where the methods of a Java class stand in its source."""

import tree_sitter_java
from tree_sitter import Language, Node, Parser


def method_spans(source: str) -> dict[str, tuple[int, int]]:
    """Method → its bytes, from the start of its first line; only names that stand there once."""
    text = source.encode()
    found: dict[str, list[tuple[int, int]]] = {}
    for node in _methods(Parser(Language(tree_sitter_java.language())).parse(text).root_node):
        name = node.child_by_field_name("name")
        if name is not None and name.text is not None:
            start = text.rfind(b"\n", 0, node.start_byte) + 1
            found.setdefault(name.text.decode(), []).append((start, node.end_byte))
    return {name: spans[0] for name, spans in found.items() if len(spans) == 1}


def _methods(node: Node) -> list[Node]:
    """Those of the file's classes, in any depth, but none inside of a method."""
    if node.type == "method_declaration":
        return [node]
    return [method for child in node.children for method in _methods(child)]
