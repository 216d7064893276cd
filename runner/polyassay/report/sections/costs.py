"""What answers cost beside how good they are, where the cost is known."""

from polyassay.measures.scores import estimate
from polyassay.measures.table import HEADLINE, Measure, measure
from polyassay.measures.units import Scores
from polyassay.report.score_table import estimate_cell
from polyassay.report.tables import Cell, Table
from polyassay.report.views import PricedTool
from polyassay.texts import say


def priced_tools(scores: Scores, by: Measure = HEADLINE) -> list[PricedTool]:
    """The tools whose answers have a cost, with their places among all."""
    found = []
    for place, (tool, units) in enumerate(scores.items()):
        kept = [unit for unit in units if not unit.left_out]
        cost = estimate(kept, measure("cost"))
        if cost.value is None:
            continue
        quality = estimate(kept, by)
        if quality.value is None:
            continue
        ends = (cost.interval.low, cost.interval.high) if cost.interval else None
        found.append(PricedTool(tool, place, estimate_cell(quality, by), cost.value, ends))
    return found


def cost_table(scores: Scores, priced: list[PricedTool], by: Measure = HEADLINE) -> Table:
    """Quality, cost and time of an answer; a column only where any tool's is known."""
    named = ("cost", "cost_per_solved", "tokens", "answer_seconds")
    measures = [measure(name) for name in named if name != by.name]
    found = {
        one.tool: [estimate([u for u in scores[one.tool] if not u.left_out], m) for m in measures]
        for one in priced
    }
    known = [
        i for i in range(len(measures)) if any(of[i].value is not None for of in found.values())
    ]
    rows: list[tuple[Cell, ...]] = [
        (one.tool, one.quality, *(estimate_cell(found[one.tool][i], measures[i]) for i in known))
        for one in priced
    ]
    notes = []
    if len(priced) < len(scores):
        without = ", ".join(tool for tool in scores if tool not in found)
        notes.append(say("Cost unknown: {tools}.", tools=without))
    titles = (say(measures[i].title) for i in known)
    return Table((say("tool"), say(by.title), *titles), tuple(rows), tuple(notes))
