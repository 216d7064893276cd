"""study.html, beside the report's first page: costs, and a table and a picture per setting."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from polyassay.measures.table import measure
from polyassay.report import charts
from polyassay.report.score_table import share
from polyassay.report.site import html_environment
from polyassay.report.tables import Share, Table
from polyassay.report.views import PricedTool
from polyassay.study.effects import SettingEffects
from polyassay.study.tables import AnswersOfTool, asked_table, effect_table

PAGE = "study.html"


def write_page(
    folder: Path,
    title: str,
    asked: Sequence[AnswersOfTool],
    effects: Sequence[SettingEffects],
    name: str,
    against: Table | None = None,
) -> Path:
    text = (
        html_environment("polyassay.study")
        .get_template(PAGE)
        .render(
            title=title,
            asked=asked_table(asked, name),
            against=against,
            cost=_quality_against_cost(asked, name),
            settings=[(found, effect_table(found), _bars(found)) for found in effects],
            measure=measure(name).title,
            axis=charts.axis() if measure(name).scale.is_share else "",
        )
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / PAGE
    path.write_text(text, encoding="utf-8", errors="replace")
    return path


def _bars(found: SettingEffects) -> list[Markup]:
    """One interval a value, where the measure is a share."""
    bars = []
    for place, effect in enumerate(found.effects):
        score = effect.score
        if not measure(found.measure).scale.is_share or score.value is None:
            bars.append(Markup(""))
            continue
        ends = score.interval
        share = Share(score.value, ends.low if ends else None, ends.high if ends else None)
        bars.append(charts.interval_bar(share, place))
    return bars


def _quality_against_cost(asked: Sequence[AnswersOfTool], name: str) -> Markup:
    """Only tools whose cost is known, and measures that are shares."""
    priced = [
        PricedTool(one.tool, place, share(one.quality), one.costs["cost"].value, _ends(one))
        for place, one in enumerate(asked)
        if one.costs["cost"].value is not None and one.quality.known
    ]
    if not priced or not measure(name).scale.is_share:
        return Markup("")
    return charts.quality_against_cost(priced, measure(name).title)


def _ends(one: AnswersOfTool) -> tuple[float, float] | None:
    ends = one.costs["cost"].interval
    return (ends.low, ends.high) if ends else None
