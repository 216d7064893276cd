"""What answers' origins tell about them as numbers: tokens, cost, seconds; unknown is left out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyassay.model import CandidateKey


def origin_values(
    origins: Iterable[tuple[CandidateKey, Mapping[str, Any]]],
) -> Iterator[tuple[CandidateKey, dict[str, float]]]:
    for key, origin in origins:
        tokens = origin.get("tokens")
        tokens = tokens if isinstance(tokens, dict) else {}
        read, written = _number(tokens.get("input")), _number(tokens.get("output"))
        settings = origin.get("settings")
        shown = settings.get("shown_test_names") if isinstance(settings, dict) else None
        values = {
            "cost": _number(origin.get("cost")),
            "input_tokens": read,
            "output_tokens": written,
            "tokens": None if read is None or written is None else read + written,
            "answer_seconds": _number(origin.get("seconds")),
            "shown_tests": float(len(shown)) if shown else None,
        }
        yield key, {name: value for name, value in values.items() if value is not None}


def _number(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known else None  # type: ignore[arg-type]
