"""Where values come from in Python: assignments, comprehensions, branches, loops."""

from polyassay.measures.surface.trees.flow import States, Walk, alternatives, loop
from polyassay.measures.surface.trees.tree import Node, Tree


def python_walk(tree: Tree) -> Walk:
    return Walk(tree, RULES, frozenset(["for_in_clause"]))


def _sides(node: Node) -> tuple[list[Node], list[Node]]:
    """What stands left and right, paired one by one where there are as many on both sides."""
    left, right = node.child("left"), node.child("right")
    lefts = [child for child in left.children if child.type != ","]
    rights = [child for child in right.children if child.type != ","]
    if len(lefts) != len(rights):
        lefts, rights = [left], [right]
    return lefts or [left], rights or [right]


def _set(walk: Walk, lefts: list[Node], rights: list[Node], states: States) -> States:
    for right in rights:
        states = walk.visit(right, states)
    for left, right in zip(lefts, rights, strict=False):
        walk.each_to_all(walk.variables(left), walk.variables(right), states)
    return states


def _assignment(walk: Walk, node: Node, states: States) -> States:
    if not node.has("right"):
        return states
    return _set(walk, *_sides(node), states)


def _comprehension(walk: Walk, node: Node, states: States) -> States:
    return _set(walk, [node.child("left")], [node.children[-1]], states)


def _parameter(walk: Walk, node: Node, states: States) -> States:
    return walk.declare(node, states)


def _if(walk: Walk, node: Node, states: States) -> States:
    clauses = ("elif_clause", "else_clause")
    return alternatives(walk, node, states, lambda place: node.children[place].type in clauses)


def _for(walk: Walk, node: Node, states: States) -> States:
    start = len(walk.edges)
    for _ in range(2):
        states = _set(walk, *_sides(node), states)
        if node.children[-1].type == "block":
            states = walk.visit(node.children[-1], states)
    walk.merge_from(start)
    return states


RULES = {
    "assignment": _assignment,
    "augmented_assignment": _assignment,
    "for_in_clause": _comprehension,
    "default_parameter": _parameter,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": loop,
}
