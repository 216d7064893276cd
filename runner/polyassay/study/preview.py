"""What a study would ask of each tool, how much and at what price; nothing is sent."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from polyassay.generate.plan import AskingEstimate, AskingPlan
from polyassay.generate.progress import money
from polyassay.model import Suite
from polyassay.report.tables import Cell, Table
from polyassay.study.answers import estimate_of
from polyassay.study.file import Study
from polyassay.study.variants import Variant, questionnaire_of, variants
from polyassay.suites.registry import Registry

COLUMNS = ("tool", "via", "there", "to ask", "requests", "input tokens", "output tokens", "cost")


@dataclasses.dataclass(frozen=True, slots=True)
class Preview:
    """What is still to be asked of one tool or variant; nothing where its answers are files."""

    variant: Variant
    asking: tuple[AskingPlan, AskingEstimate] | None = None

    def row(self) -> tuple[Cell, ...]:
        tool = self.variant.tool
        if self.asking is None:
            return (tool.name, "files", *[None] * 6)
        plan, guess = self.asking
        most = "unknown" if guess.output_tokens is None else f"≤ {guess.output_tokens:,}"
        sizes = (guess.answers, guess.requests, f"{guess.input_tokens:,}", most)
        return (tool.name, tool.via, plan.present, *sizes, money(guess.cost, guess.currency))


def previews(study: Study, suites: Mapping[str, Suite], registry: Registry) -> Iterator[Preview]:
    for variant in variants(study):
        asked = questionnaire_of(study, variant) if variant.asked else None
        yield Preview(variant, estimate_of(asked, suites, registry) if asked else None)


def preview_table(found: Iterable[Preview]) -> Table:
    return Table(COLUMNS, tuple(one.row() for one in found))


def previews_json(found: Iterable[Preview]) -> list[dict[str, Any]]:
    """Of the tools that are asked."""
    told = []
    for one in found:
        if one.asking:
            plan, guess = one.asking
            about = {"tool": one.variant.tool.name, "present": plan.present}
            told.append(about | dataclasses.asdict(guess))
    return told
