"""The score table with the answer below it: which tool is better, and what to know about it."""

from polyassay.measures.comparing.beside import beside
from polyassay.measures.comparing.sentences import summary
from polyassay.measures.comparing.two import Comparison, compare, share_tasks
from polyassay.measures.doubts import EMPTY, REFERENCE, Doubts
from polyassay.measures.results import Results
from polyassay.measures.scores import ScoreTable
from polyassay.report.score_table import as_table, footnotes
from polyassay.report.tables import Table
from polyassay.wording import asked_told, counted


def with_answer(
    results: Results, tools: ScoreTable, groups: ScoreTable | None, doubted: Doubts
) -> Table:
    """Where there are two tools, it says which is better; of more, `compare --all` tells."""
    rivals = [tool for tool in results.scores if tool not in (REFERENCE, EMPTY)]
    return as_table(
        groups or tools,
        [
            *([] if groups else _answer(results, tools, rivals, doubted)),
            *footnotes(tools, results, doubted),
        ],
    )


def _answer(results: Results, tools: ScoreTable, rivals: list[str], doubted: Doubts) -> list[str]:
    if len(rivals) > 2:
        return [f"Which is better: `polyassay compare {results.run.id} --all`."]
    if len(rivals) < 2:
        return []
    a, b = ((tool, results.scores[tool]) for tool in rivals)
    if not share_tasks(a[1], b[1]):
        return []
    if not results.complete:
        return ["Which is better is told when the run is complete."]
    decides = tools.measures[0].name
    found = compare(a, b, besides=[decides])
    told = beside(a, b, found, doubted.weak, decides, results.in_suites)
    plan, turns = f"--from {results.run.id}", bool(told.missing)
    notes = [*summary(found, decides, plan, turns=turns), *told.lines(decides)]
    compared = {row.score.tasks for row in tools.rows if row.tool in rivals} - {found.tasks}
    return [*notes, *compared_on(found)] if compared else notes


def compared_on(found: Comparison) -> list[str]:
    """How many tasks were compared, and why not all."""
    out = found.left_out
    reasons = [
        f"{counted(out.only_one_asked, out.unit)} {'was' if out.only_one_asked == 1 else 'were'} "
        "put to one of them only"
        if out.only_one_asked
        else "",
        f"{counted(out.not_counted, out.unit)} could not be scored for both"
        if out.not_counted
        else "",
    ]
    told = "; ".join(filter(None, reasons))
    both = asked_told(found.tasks, found.distinct)
    return [f"Compared on {both} that both have{told and f' ({told})'}."]
