"""How many subtrees and edges of a reference an answer has: matches, and out of how many."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from polyassay.measures.surface.trees.flow import Normal, normal_flow
from polyassay.measures.surface.trees.java import java_walk
from polyassay.measures.surface.trees.python import python_walk
from polyassay.measures.surface.trees.tree import Tree, read_tree

Pair: TypeAlias = tuple[float, float]  # matches, out of how many

Item = TypeVar("Item")

_WALKS = {"python": python_walk, "java": java_walk}


@dataclass(frozen=True, slots=True)
class TreeShape:
    """What is compared of a piece of code; made once, compared often."""

    tree: Tree
    subtrees: Counter[object]
    flow: Counter[Normal]

    @property
    def tokens(self) -> list[str]:
        return [text for _, text in self.tree.tokens]


def shape(source: str, language: str, published: bool = False) -> TreeShape:
    tree = read_tree(source, language, published)
    flow = normal_flow(_WALKS[language](tree))
    return TreeShape(tree, Counter(tree.subtrees), Counter(flow))


def published_syntax(answer: TreeShape, references: Sequence[TreeShape]) -> Pair:
    """Recall of subtrees; one that the answer has once may match many times."""
    found = answer.subtrees
    matches = sum(n for r in references for label, n in r.subtrees.items() if label in found)
    return matches, sum(len(reference.tree.subtrees) for reference in references)


def published_flow(answer: TreeShape, references: Sequence[TreeShape]) -> Pair:
    """Recall of edges."""
    matches = sum((answer.flow & reference.flow).total() for reference in references)
    return matches, sum(reference.flow.total() for reference in references)


def syntax_overlap(answer: TreeShape, reference: TreeShape) -> float:
    """F1 of subtrees, each matched at most as often as both have it."""
    return _f1(answer.subtrees, reference.subtrees)


def flow_overlap(answer: TreeShape, reference: TreeShape) -> float | None:
    """F1 of edges; unknown where nothing flows in the reference."""
    return _f1(answer.flow, reference.flow) if reference.flow else None


def _f1(found: Counter[Item], known: Counter[Item]) -> float:
    if not found or not known:
        return 0.0
    return 2.0 * (found & known).total() / (found.total() + known.total())
