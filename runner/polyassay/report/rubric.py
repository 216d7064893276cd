"""What people graded, for the report."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from polyassay.measures.results import Results
from polyassay.measures.scores import score
from polyassay.measures.table import Measure
from polyassay.measures.units import cluster_of
from polyassay.model import CandidateKey
from polyassay.report.grading.comparing import pairs_table
from polyassay.report.grading.preferring import standings_table
from polyassay.report.score_table import value_cell
from polyassay.report.tables import Amount, Cell, Share, Table
from polyassay.report.terminal.grading import given_text
from polyassay.report.views import Grade
from polyassay.rubric.figures.comparing import GradeComparison, every_pair
from polyassay.rubric.figures.preferring import PreferenceFigures, preference_figures
from polyassay.rubric.figures.summary import Summary, summarise
from polyassay.rubric.means import Mean
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score
from polyassay.rubric.stored import all_preferences, all_scores, left_out_rows, used_rubric
from polyassay.store import Store
from polyassay.store.scores import Scores
from polyassay.texts import say


def rubric_tables(store: Store, results: Results, by: Measure) -> list[Table]:
    """Per rubric: tests and people side by side, means, comparisons and preferences."""
    kept = Scores(store)
    tables = []
    for name in kept.rubrics():
        rubric = used_rubric(kept, name)
        scores = _of_run(all_scores(kept, rubric, None), results)
        means = summarise(rubric, scores, left_out_rows(kept, rubric)) if scores else None
        preferred = _preferred(kept, rubric, results)
        overall = next((one for one in preferred if not one.dimension), None)
        if means and overall:
            tables.append(side_by_side(results, means, overall, by))
        if means:
            tables.append(_means(means))
            tables += [pairs_table(found)] if (found := _pairs(rubric, scores, results)) else []
        tables += map(standings_table, preferred)
    return tables


def side_by_side(
    results: Results, means: Summary, preferred: PreferenceFigures, by: Measure
) -> Table:
    """What tests, scores and preferences say about each tool."""
    strengths = {one.tool: one for one in preferred.standings}
    rows: list[tuple[Cell, ...]] = []
    for tool in sorted(means.means.keys() & strengths.keys()):
        passed = score(results.scores[tool], [by])[by.name].value
        of, standing = means.means[tool], strengths[tool]
        scored = [f"{of[d.id].mean:.2f}" if d.id in of else "–" for d in means.rubric.dimensions]
        first = value_cell(passed, by) if passed is not None else "–"
        rows.append((tool, first, *scored, Share(standing.share), Amount(standing.strength)))
    names = [d.id for d in means.rubric.dimensions]
    columns = (say("tool"), say(by.title), *names, say("preferred"), say("strength"))
    return Table(columns, tuple(rows))


def _preferred(kept: Scores, rubric: Rubric, results: Results) -> list[PreferenceFigures]:
    """As a whole, and by every dimension in which anybody chose."""
    given = [
        one
        for one in all_preferences(kept, rubric, None)
        if (one.a.suite, one.a.task) in results.tasks
        and {one.a.tool, one.b.tool} <= results.scores.keys()
    ]
    every = [preference_figures(given, d, _clusters(results)) for d in ["", *rubric.scales]]
    return [one for one in every if one]


def _clusters(results: Results) -> Callable[[CandidateKey], Hashable]:
    return lambda key: cluster_of(results.tasks[key.suite, key.task])


def _means(found: Summary) -> Table:
    dimensions = found.rubric.dimensions
    rows: list[tuple[Cell, ...]] = []
    for tool, of in found.means.items():
        cells = [_cell(of[d.id]) if d.id in of else "–" for d in dimensions]
        rows.append((tool, *cells, given_text(of.values())))
    columns = [f"{d.id} {d.low}–{d.high}" for d in dimensions]
    means = say("Rubric {name}: means over answers.", name=found.rubric.name)
    columns = [say("tool"), *columns, say("scores")]
    return Table(tuple(columns), tuple(rows), (means, *found.warnings))


def _cell(mean: Mean) -> str:
    return f"{mean.mean:.2f} ({mean.low:.2f}–{mean.high:.2f}), {mean.n}"


def _pairs(rubric: Rubric, given: Sequence[Score], results: Results) -> list[GradeComparison]:
    return every_pair(rubric, given, _clusters(results))


def grades(store: Store, results: Results) -> Mapping[CandidateKey, Sequence[Grade]]:
    """Every score that holds, by the candidate it was given to."""
    kept = Scores(store)
    found: dict[CandidateKey, list[Grade]] = {}
    for name in kept.rubrics():
        for one in _of_run(all_scores(kept, used_rubric(kept, name), None), results):
            grade = Grade(one.grader, one.dimension, one.score, one.comment)
            found.setdefault(one.key, []).append(grade)
    return found


def _of_run(given: Sequence[Score], results: Results) -> list[Score]:
    return [
        one
        for one in given
        if one.key.tool in results.scores and (one.key.suite, one.key.task) in results.tasks
    ]
