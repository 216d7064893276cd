"""What people graded, for the report."""

from collections.abc import Hashable, Mapping, Sequence

from polyassay.measures.results import Results
from polyassay.measures.units import cluster_of
from polyassay.model import CandidateKey
from polyassay.report.grading.comparing import pairs_table
from polyassay.report.tables import Cell, Table
from polyassay.report.terminal.grading import given_text
from polyassay.report.views import Grade
from polyassay.rubric.figures.comparing import GradeComparison, every_pair
from polyassay.rubric.figures.summary import Summary, summarise
from polyassay.rubric.means import Mean
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score
from polyassay.rubric.stored import all_scores, left_out_rows, used_rubric
from polyassay.store import Store
from polyassay.store.scores import Scores


def rubric_tables(store: Store, results: Results) -> list[Table]:
    """Per rubric, the mean of every tool and dimension over the run's suites."""
    kept = Scores(store)
    tables = []
    for name in kept.rubrics():
        rubric = used_rubric(kept, name)
        given = _of_run(all_scores(kept, rubric, None), results)
        if given:
            tables.append(_means(summarise(rubric, given, left_out_rows(kept, rubric))))
            tables += [pairs_table(found)] if (found := _pairs(rubric, given, results)) else []
    return tables


def _means(found: Summary) -> Table:
    dimensions = found.rubric.dimensions
    rows: list[tuple[Cell, ...]] = []
    for tool, of in found.means.items():
        cells = [_cell(of[d.id]) if d.id in of else "–" for d in dimensions]
        rows.append((tool, *cells, given_text(of.values())))
    columns = [f"{d.id} {d.low}–{d.high}" for d in dimensions]
    notes = (f"Rubric {found.rubric.name}: means over answers.", *found.warnings)
    return Table(("tool", *columns, "scores"), tuple(rows), notes)


def _cell(mean: Mean) -> str:
    return f"{mean.mean:.2f} ({mean.low:.2f}–{mean.high:.2f}), {mean.n}"


def _pairs(rubric: Rubric, given: Sequence[Score], results: Results) -> list[GradeComparison]:
    def cluster(key: CandidateKey) -> Hashable:
        return cluster_of(results.tasks[key.suite, key.task])

    return every_pair(rubric, given, cluster)


def grades(store: Store, results: Results) -> Mapping[CandidateKey, Sequence[Grade]]:
    """Every score that holds, by the candidate it was given to."""
    kept = Scores(store)
    found: dict[CandidateKey, list[Grade]] = {}
    for name in kept.rubrics():
        for score in _of_run(all_scores(kept, used_rubric(kept, name), None), results):
            grade = Grade(score.grader, score.dimension, score.score, score.comment)
            found.setdefault(score.key, []).append(grade)
    return found


def _of_run(given: Sequence[Score], results: Results) -> list[Score]:
    return [
        score
        for score in given
        if score.key.tool in results.scores and (score.key.suite, score.key.task) in results.tasks
    ]
