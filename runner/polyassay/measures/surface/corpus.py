"""A corpus' figures: from sums of counts where the metric is one of a corpus, else means."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polyassay.measures.surface import ngrams, published, texts
from polyassay.measures.surface.values import Surface

Array: TypeAlias = NDArray[np.float64]
Score: TypeAlias = Callable[[Sequence[float]], float]


def _lin_och(counts: Sequence[float]) -> float:
    return ngrams.lin_och_score(tuple(counts))


def _sacrebleu(counts: Sequence[float]) -> float:
    return texts.bleu_score(counts, corpus=True)


# Which measures of a flavour are computed from sums; all others are means over samples.
FROM_SUMS: dict[str, dict[str, Score]] = {
    "published": {"bleu": _lin_och, "chrf": texts.chrf_score},
    "standard": {"bleu": _sacrebleu, "chrf": texts.chrf_score},
}


def corpus(samples: Sequence[Surface], flavour: str) -> dict[str, float | None]:
    """One value a measure; unknown where no sample knows it."""
    values: dict[str, float | None] = {}
    for name in dict.fromkeys(name for sample in samples for name in sample.values):
        if score := FROM_SUMS[flavour].get(name):
            values[name] = score(summed(samples, name)) if any_counts(samples, name) else None
        else:
            known = [v for sample in samples if (v := sample.values.get(name)) is not None]
            values[name] = sum(known) / len(known) if known else None
    return values


def any_counts(samples: Sequence[Surface], name: str) -> bool:
    return any(name in sample.counts for sample in samples)


def summed(samples: Sequence[Surface], name: str) -> list[float]:
    rows = [sample.counts[name] for sample in samples if name in sample.counts]
    return [sum(column) for column in zip(*rows, strict=True)]


def micro_codebleu(samples: Sequence[Surface], publisher: str = "odex") -> dict[str, float]:
    """CodeBLEU of a corpus taken as one text, which the published scripts can compute too."""
    names = ("codebleu_ngram", "codebleu_weighted", "codebleu_syntax", "codebleu_dataflow")
    counts = {name: summed(samples, name) for name in names}
    return (published.exeds_parts if publisher == "exeds" else published.codebleu_parts)(counts)


def columns(samples: Mapping[str, Sequence[Surface]], most: int) -> list[list[Surface]]:
    """The first samples of all tasks, then the second ones, and so on: for best-of-k."""
    return [[of[i] for of in samples.values() if i < len(of)] for i in range(most)]
