"""What surface metrics say of one sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NAMES = (
    "bleu",
    "rouge_l",
    "meteor",
    "chrf",
    "codebleu",
    "codebleu_ngram",
    "codebleu_weighted",
    "codebleu_syntax",
    "codebleu_dataflow",
    "exact",
)
PARTS = NAMES[5:9]


@dataclass(frozen=True, slots=True)
class Surface:
    values: Mapping[str, float | None]  # None: unknown
    counts: Mapping[str, Sequence[float]] = field(default_factory=dict)  # add up over a corpus


def mean_of_parts(parts: Mapping[str, float]) -> float:
    """CodeBLEU: its four parts, a quarter each."""
    return 0.25 * sum(parts[name] for name in PARTS)
