"""Where values come from in Java: declarations, assignments, branches, loops."""

from polyassay.measures.surface.trees.flow import COMPUTED, States, Walk, alternatives, loop
from polyassay.measures.surface.trees.tree import Node, Tree


def java_walk(tree: Tree) -> Walk:
    return Walk(tree, RULES)


def _declarator(walk: Walk, node: Node, states: States) -> States:
    return walk.declare(node, states)


def _assignment(walk: Walk, node: Node, states: States) -> States:
    left, right = node.child("left"), node.child("right")
    states = walk.visit(right, states)
    walk.each_to_each(walk.variables(left), walk.variables(right), COMPUTED, states)
    return states


def _update(walk: Walk, node: Node, states: States) -> States:
    variables = walk.variables(node)
    walk.each_to_each(variables, variables, COMPUTED, states)
    return states


def _if(walk: Walk, node: Node, states: States) -> States:
    """From the first `else` or nested if on, every child is a branch of its own."""
    types = [child.type for child in node.children]
    begins = (place for place, kind in enumerate(types) if kind in ("if_statement", "else"))
    first = next(begins, len(types))
    return alternatives(walk, node, states, lambda place: place >= first)


def _for(walk: Walk, node: Node, states: States) -> States:
    start = len(walk.edges)
    for child in node.children:
        states = walk.visit(child, states)
    again = False
    for child in node.children:
        if again:
            states = walk.visit(child, states)
        again = again or child.type == "local_variable_declaration"
    walk.merge_from(start)
    return states


def _for_each(walk: Walk, node: Node, states: States) -> States:
    start = len(walk.edges)
    name, value, body = node.child("name"), node.child("value"), node.child("body")
    for _ in range(2):
        states = walk.visit(value, states)
        walk.each_to_each(walk.variables(name), walk.variables(value), COMPUTED, states)
        states = walk.visit(body, states)
    walk.merge_from(start)
    return states


RULES = {
    "variable_declarator": _declarator,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "if_statement": _if,
    "for_statement": _for,
    "enhanced_for_statement": _for_each,
    "while_statement": loop,
}
