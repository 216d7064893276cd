"""Assertion sets that a task may also accept, the likeliest first; a person decides on each."""

from collections.abc import Iterator
from dataclasses import dataclass

from polyassay.widening.assertions import CallAssertions
from polyassay.widening.transformations import filters, of_arguments, of_results

MOST = 12  # proposals a task

# How early each comes; by how often MBUPP's authors added it where it applied.
_RANKS = {
    "RemoveArgs": 0,
    "PermuteArgs": 2,
    "CategoryToBool": 1,
    "ListToTuple": 1,
    "TupleToList": 1,
    "StrToNum": 3,
    "TextToValue": 2,
    "NumToStr": 4,
    "ValidatorToFilter": 3,
    "PermuteResult": 4,
    "SingleToList": 5,
    "DictToPairs": 4,
    "PairsToDict": 5,
    "Grouped": 6,
    "ShowCount": 5,
    "AnyIterable": 6,
}


@dataclass(frozen=True, slots=True)
class Proposal:
    name: str  # of the assertion set
    cases: CallAssertions
    rank: int = 0  # the lower, the likelier


def proposals(cases: CallAssertions, most: int | None = MOST) -> list[Proposal]:
    """All single transformations and those of both sides; equal ones once, by their rank."""
    found = sorted(_all(cases), key=lambda proposal: proposal.rank)
    seen = {repr(cases)}
    chosen = []
    for proposal in found:
        if repr(proposal.cases) not in seen:
            seen.add(repr(proposal.cases))
            chosen.append(proposal)
    return chosen[:most]


def _all(cases: CallAssertions) -> Iterator[Proposal]:
    arguments = list(of_arguments(cases))
    for name, changed in arguments:
        yield Proposal(f"arguments-{name}", changed, _rank(name))
    for name, changed in of_results(cases):
        yield Proposal(f"results-{name}", changed, _rank(name))
    for name, changed in filters(cases):
        yield Proposal(name, changed, _rank(name))
    for first, changed in arguments:
        for second, both in of_results(changed):
            rank = _rank(first) + _rank(second) + 2
            yield Proposal(f"arguments-{first}--results-{second}", both, rank)


def _rank(name: str) -> int:
    """Of a transformation that was made of two, the sum."""
    return sum(_RANKS[part.partition("(")[0]] for part in name.split("--"))
