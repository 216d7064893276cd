"""How data flows through a piece of code, by CodeBLEU's rules.

An edge says which token gets its value from which names. What only names positions, and neither
gives nor gets a value, is left out; names become var_0, var_1, … in the order in which they appear.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from polyassay.measures.surface.trees.tree import Node, Tree

FROM, COMPUTED = "comesFrom", "computedFrom"
States: TypeAlias = dict[str, list[int]]  # name → the tokens that may have set it
Normal: TypeAlias = tuple[str, str, tuple[str, ...]]


@dataclass(slots=True)
class Edge:
    name: str
    token: int
    relation: str
    names: list[str]
    tokens: list[int]


@dataclass(slots=True)
class Walk:
    """One pass over a tree; `rules` gives the visitor of a node's type, if it is a special one."""

    tree: Tree
    rules: Mapping[str, Callable[["Walk", Node, States], States]]
    first: frozenset[str] = frozenset()  # types of children that are visited before the others
    edges: list[Edge] = field(default_factory=list)

    def visit(self, node: Node, states: States) -> States:
        """Adds the node's edges, and returns the states after it; `states` may be changed."""
        if node.is_token:
            self._leaf(node, states)
            return states
        if rule := self.rules.get(node.type):
            return rule(self, node, states)
        early = [child for child in node.children if child.type in self.first]
        for child in early:
            states = self.visit(child, states)
        for child in node.children:
            if not early or child.type not in self.first:
                states = self.visit(child, states)
        return states

    def _leaf(self, node: Node, states: States) -> None:
        index = self.tree.same.get(node.first, node.first)
        text = self.text(index)
        if node.type == text:
            return
        if text in states:
            self.edges.append(Edge(text, index, FROM, [text], list(states[text])))
            return
        if node.type == "identifier":
            states[text] = [index]
        self.edges.append(Edge(text, index, FROM, [], []))

    def variables(self, node: Node) -> list[int]:
        """The tokens below a node that are no keywords, operators or brackets."""
        same, tokens = self.tree.same, self.tree.tokens
        indices = (same.get(i, i) for i in range(node.first, node.last))
        return [i for i in indices if tokens[i][0] != tokens[i][1]]

    def text(self, index: int) -> str:
        return self.tree.tokens[index][1]

    def each_to_each(
        self, to: Iterable[int], values: list[int], relation: str, states: States
    ) -> None:
        """One edge for every pair; the names are set from here on."""
        for target in to:
            name = self.text(target)
            for value in values:
                self.edges.append(Edge(name, target, relation, [self.text(value)], [value]))
            states[name] = [target]

    def each_to_all(self, to: Iterable[int], values: list[int], states: States) -> None:
        """One edge for every name, from all values together."""
        names = [self.text(value) for value in values]
        for target in to:
            name = self.text(target)
            self.edges.append(Edge(name, target, COMPUTED, list(names), list(values)))
            states[name] = [target]

    def declare(self, node: Node, states: States) -> States:
        """A name with a value or without one: Python's default parameter, Java's declarator."""
        names = self.variables(node.child("name"))
        if not node.has("value"):
            for index in names:
                self.edges.append(Edge(self.text(index), index, FROM, [], []))
                states[self.text(index)] = [index]
            return states
        value = node.child("value")
        states = self.visit(value, states)
        self.each_to_each(names, self.variables(value), FROM, states)
        return states

    def merge_from(self, start: int) -> None:
        """Edges of a loop, which is walked twice, become one a name, token and relation."""
        merged: dict[tuple[str, int, str], Edge] = {}
        for edge in self.edges[start:]:
            key = edge.name, edge.token, edge.relation
            if known := merged.get(key):
                known.names = list(dict.fromkeys(known.names + edge.names))
                known.tokens = sorted({*known.tokens, *edge.tokens})
            else:
                merged[key] = edge
        self.edges[start:] = sorted(merged.values(), key=lambda edge: edge.token)


def joined(branches: Iterable[States]) -> States:
    """The states after branches of which any may have been taken."""
    states: States = {}
    for branch in branches:
        for name, tokens in branch.items():
            states[name] = sorted({*states.get(name, ()), *tokens})
    return states


def alternatives(
    walk: Walk, node: Node, states: States, is_branch: Callable[[int], bool]
) -> States:
    """What is known after children of which those that are branches may not have been taken."""
    straight = dict(states)
    branches = []
    for place, child in enumerate(node.children):
        if is_branch(place):
            branches.append(walk.visit(child, dict(states)))
        else:
            straight = walk.visit(child, straight)
    has_else = any("else" in child.type for child in node.children)
    return joined([*branches, straight] if has_else else [*branches, straight, states])


def normal_flow(walk: Walk) -> list[Normal]:
    """The edges of a whole tree with plain names; none where the tree is too broken to walk."""
    try:
        walk.visit(walk.tree.root, {})
    except (AttributeError, IndexError, RecursionError):
        return []
    edges = sorted(walk.edges, key=lambda edge: edge.token)
    used = {edge.token for edge in edges if edge.tokens}
    used.update(token for edge in edges for token in edge.tokens)
    by_token: dict[int, Edge] = {}
    for edge in edges:
        if edge.token not in used:
            continue
        if known := by_token.get(edge.token):
            names = list(dict.fromkeys(known.names + edge.names))
            tokens = list(dict.fromkeys(known.tokens + edge.tokens))
            by_token[edge.token] = Edge(edge.name, edge.token, edge.relation, names, tokens)
        else:
            by_token[edge.token] = edge
    return _plain(by_token.values())


def _plain(edges: Iterable[Edge]) -> list[Normal]:
    numbers: dict[str, str] = {}
    plain = []
    for edge in edges:
        for name in (*edge.names, edge.name):
            numbers.setdefault(name, f"var_{len(numbers)}")
        names = tuple(numbers[name] for name in edge.names)
        plain.append((numbers[edge.name], edge.relation, names))
    return plain


def loop(walk: Walk, node: Node, states: States) -> States:
    """What a loop's parts do to variables; twice, because the first round feeds the second."""
    start = len(walk.edges)
    for _ in range(2):
        for child in node.children:
            states = walk.visit(child, states)
    walk.merge_from(start)
    return states
