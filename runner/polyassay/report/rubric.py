"""What people graded, for the report."""

from collections.abc import Mapping, Sequence

from polyassay.measures.results import Results
from polyassay.model import CandidateKey
from polyassay.report.tables import Cell, Table
from polyassay.report.views import Grade
from polyassay.rubric.means import mean_score
from polyassay.rubric.sheets import Score, settled
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.store import Store
from polyassay.store.scores import Scores


def rubric_tables(store: Store, results: Results) -> list[Table]:
    """Per rubric, the mean of every tool and dimension over the run's suites."""
    kept = Scores(store)
    tables = []
    for name in kept.rubrics():
        rubric = used_rubric(kept, name)
        given = _of_run(settled(all_scores(kept, rubric, None)), results)
        rows: list[tuple[Cell, ...]] = []
        for tool in dict.fromkeys(score.key.tool for score in given):
            cells: list[Cell] = []
            for dimension in rubric.dimensions:
                own = [s for s in given if (s.key.tool, s.dimension) == (tool, dimension.id)]
                mean = mean_score(own, dimension) if own else None
                cells.append(f"{mean.mean:.2f} ({mean.low:.2f}–{mean.high:.2f})" if mean else "–")
            rows.append((tool, *cells, sum(score.key.tool == tool for score in given)))
        if rows:
            columns = [f"{d.id} {d.low}–{d.high}" for d in rubric.dimensions]
            tables.append(Table(("tool", *columns, "scores"), tuple(rows), (f"Rubric {name}.",)))
    return tables


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
