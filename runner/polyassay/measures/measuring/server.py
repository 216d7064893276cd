"""The helper process: measures one answer after the other, within limits for each."""

from contextlib import suppress
from typing import Any

from polyassay.helper_process import MAX_REQUEST, limit_cpu, limit_process
from polyassay.measures.measuring.request import BROKEN, EMPTY, NO_REFERENCE
from polyassay.measures.readability import signals as readability
from polyassay.measures.surface import published, values
from polyassay.measures.surface.standard import standard
from polyassay.measures.surface.texts import forget_texts
from polyassay.measures.surface.values import Surface
from polyassay.measures.worth.tags import tags
from polyassay_harness.wire import frames

CPU_SECONDS = 20.0  # an answer


def serve() -> None:
    # Libraries are loaded before the limits are set: some look for a folder to write to.
    for method in ("standard", "odex"):
        measured("x", ("y",), "python", method, characters=False)
    limit_process()
    with suppress(frames.StreamEnded):
        while True:
            _answer(frames.receive(0, limit=MAX_REQUEST))


def _answer(request: dict[str, Any]) -> None:
    references = tuple(request["references"])
    how = request["language"], request["method"]
    for answer in request["answers"]:
        limit_cpu(CPU_SECONDS)
        frames.send(1, measured(answer, references, *how, request["characters"]))
    limit_cpu(0)
    forget_texts()


def measured(
    answer: str, references: tuple[str, ...], language: str, method: str, characters: bool
) -> dict[str, Any]:
    try:
        surface = _surface(answer, references, language, method, characters)
        shape = readability.signals(answer, references, language)
        kinds = tags(answer, references, language)
    except (MemoryError, RecursionError) as error:
        return {
            "values": {},
            "counts": {},
            "tags": [],
            "notes": [f"not measured: {type(error).__name__}"],
        }
    notes = [
        note
        for note, holds in (
            (EMPTY, not answer.strip()),
            (NO_REFERENCE, not references),
            (BROKEN, bool(answer.strip()) and shape["lines"] is None),
        )
        if holds
    ]
    return {
        "values": {**surface.values, **shape},
        "counts": surface.counts,
        "notes": notes,
        "tags": kinds,
    }


def _surface(
    answer: str, references: tuple[str, ...], language: str, method: str, characters: bool
) -> Surface:
    if not references:
        return Surface(dict.fromkeys(values.NAMES))
    if method == "standard":
        return standard(answer, references, language)
    if method == "exeds" and language == "python":
        return published.exeds(answer, references)
    found = published.odex(answer, references, language, characters)
    exact = float(answer in references)
    return Surface({**found.values, "exact": exact}, found.counts)
