"""BLEU and its relatives as sums: counts of a sample add up to those of a corpus.

Every function `…_counts` gives four numerators, four denominators, the answer's length and the
reference's; `…_score` turns such a row, or the sum of many, into a value.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

ORDERS = 4
Counts: TypeAlias = tuple[float, ...]  # 4 numerators, 4 denominators, length, reference's length
Grams: TypeAlias = Counter[tuple[str, ...]]


def ngrams(tokens: Sequence[str], order: int) -> Grams:
    return Counter(zip(*(tokens[i:] for i in range(order)), strict=False))


@dataclass(frozen=True)
class Counted:
    """Tokens and their n-grams, counted once for all that is compared with them."""

    tokens: tuple[str, ...]

    @cached_property
    def grams(self) -> tuple[Grams, ...]:
        return tuple(ngrams(self.tokens, order) for order in range(1, ORDERS + 1))

    def __len__(self) -> int:
        return len(self.tokens)


def precision_counts(answer: Counted, references: Sequence[Counted], floor: int = 0) -> Counts:
    """Clipped n-gram precision; the shortest reference's length, as tensorflow/nmt has it.

    With a floor of 1, denominators are at least that, and the length is the closest one: NLTK's.
    """
    matches, possible = [], []
    for order in range(ORDERS):
        counts = answer.grams[order]
        matches.append(_clipped(counts, [reference.grams[order] for reference in references]))
        possible.append(max(floor, len(answer) - order))
    lengths = [len(reference) for reference in references]
    length = closest(lengths, len(answer)) if floor else min(lengths)
    return (*matches, *possible, len(answer), length)


def _clipped(counts: Grams, references: Sequence[Grams]) -> int:
    if len(references) == 1:
        known = references[0]
        return sum(min(count, known[gram]) for gram, count in counts.items() if gram in known)
    return sum(min(count, max(r[gram] for r in references)) for gram, count in counts.items())


def closest(lengths: Sequence[int], length: int) -> int:
    return min(lengths, key=lambda known: (abs(known - length), known))


def lin_och_score(counts: Counts) -> float:
    """BLEU with one added to numerator and denominator of all four orders."""
    if not counts[8]:
        return 0.0
    logs = sum(math.log((counts[i] + 1.0) / (counts[i + 4] + 1.0)) / ORDERS for i in range(ORDERS))
    ratio = counts[8] / counts[9]
    penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    return math.exp(logs) * penalty


def nltk_score(counts: Counts, smoothing: str) -> float:
    """BLEU as NLTK's `corpus_bleu` of 2020: 0 where no word matches.

    `add_one` adds one to all four orders (its method2), `epsilon` 0.1 to numerators that are 0
    (its method1).
    """
    if not counts[0] or not counts[8]:
        return 0.0
    logs = []
    for i in range(ORDERS):
        numerator, denominator = counts[i], counts[i + 4]
        if smoothing == "add_one":
            numerator, denominator = numerator + 1, denominator + 1
        elif not numerator:
            numerator = 0.1
        logs.append(math.log(numerator / denominator) / ORDERS)
    return brevity(counts[8], counts[9]) * math.exp(math.fsum(logs))


def sentence_score(counts: Counts) -> float:
    """BLEU of a single answer: one is added to the counts of all orders but the first.

    Orders for which the answer is too short are left out, so that a copy of the reference gets 1.
    """
    if not counts[0]:
        return 0.0
    logs = [
        math.log((counts[i] + (i > 0)) / (counts[i + 4] + (i > 0)))
        for i in range(ORDERS)
        if counts[i + 4]
    ]
    return brevity(counts[8], counts[9]) * math.exp(math.fsum(logs) / len(logs))


def brevity(length: float, reference: float) -> float:
    return 1.0 if length > reference else math.exp(1 - reference / length)


def recall_counts(
    answer: Counted, references: Sequence[Counted], keywords: Collection[str]
) -> Counts:
    """CodeBLEU's weighted match as published: recall, and a reference's length is always 2.

    (It takes the length of a pair of tokens and weights, so that there is no brevity penalty.)
    """
    matches, possible = [0.0] * ORDERS, [0.0] * ORDERS
    for reference in references:
        for order in range(ORDERS):
            known, found = reference.grams[order], answer.grams[order]
            if order:
                total: float = max(0, len(reference) - order)
                matched: float = _clipped(found, [known])
            else:
                total, matched = _weighted(known, found, keywords)
            matches[order] += matched
            possible[order] += max(1.0, total)
    return (*matches, *possible, len(answer), 2)


def _weighted(counts: Grams, others: Grams, keywords: Collection[str]) -> tuple[float, float]:
    """How much single words weigh in all, and those of them that the others have too."""
    total = matched = 0.0
    for gram, count in counts.items():
        weight = 1.0 if gram[0] in keywords else 0.2
        total += count * weight
        if gram in others:
            matched += min(count, others[gram]) * weight
    return total, matched


def weighted_precision_counts(
    answer: Counted, reference: Counted, keywords: Collection[str]
) -> Counts:
    """The weighted match as CodeBLEU's paper has it: precision, keywords five times as heavy."""
    matches, possible = [], []
    for order in range(ORDERS):
        known = reference.grams[order]
        if order:
            total: float = max(0, len(answer) - order)
            matched: float = _clipped(answer.grams[order], [known])
        else:
            total, matched = _weighted(answer.grams[0], known, keywords)
        matches.append(matched)
        possible.append(total)
    return (*matches, *possible, len(answer), len(reference))
