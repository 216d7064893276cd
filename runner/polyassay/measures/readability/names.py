"""The names that a piece of code gives to things, and how deep its control structures nest."""

from collections.abc import Iterator

from polyassay.measures.surface.trees.tree import Node, Tree

# Type of a node → the places of its children that are, or hold, new names.
_DECLARES = {
    "assignment": ("left",),
    "for_statement": ("left",),  # Java's has no such place
    "for_in_clause": ("left",),
    "named_expression": ("name",),
    "function_definition": ("name",),
    "class_definition": ("name",),
    "default_parameter": ("name",),
    "typed_default_parameter": ("name",),
    "variable_declarator": ("name",),
    "formal_parameter": ("name",),
    "catch_formal_parameter": ("name",),
    "method_declaration": ("name",),
    "class_declaration": ("name",),
    "record_declaration": ("name",),
    "enhanced_for_statement": ("name",),
}
# Nodes whose identifiers are all parameters.
_PARAMETERS = frozenset(("parameters", "lambda_parameters", "inferred_parameters"))
_TARGETS = frozenset(("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
                      "dictionary_splat_pattern", "typed_parameter"))  # fmt: skip

NESTING = frozenset(
    ("if_statement", "for_statement", "while_statement", "try_statement", "with_statement",
     "match_statement", "for_in_clause", "enhanced_for_statement", "do_statement",
     "switch_expression", "try_with_resources_statement", "synchronized_statement",
     "lambda_expression", "lambda")
)  # fmt: skip


def declared_names(tree: Tree) -> set[str]:
    return {tree.tokens[node.first][1] for node in _declared(tree.root)}


def _declared(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        places = _DECLARES.get(node.type, ())
        for child in node.children:
            if child.field in places or node.type in _PARAMETERS:
                yield from _identifiers(child)
            waiting.append(child)


def _identifiers(node: Node) -> Iterator[Node]:
    """A name, or the names of a pattern; an attribute or an element is no new name."""
    if node.type == "identifier" and node.last > node.first:
        yield node
    elif node.type in _TARGETS:
        for child in node.children:
            yield from _identifiers(child)


def deepest_nesting(tree: Tree) -> int:
    """How many control structures stand within each other; `else if` goes no deeper."""
    deepest = 0
    waiting = [(tree.root, 0)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        for child in node.children:
            chained = node.type == child.type == "if_statement" and child.field == "alternative"
            waiting.append((child, depth + (child.type in NESTING and not chained)))
    return deepest
