"""The report's page of measures, from what `polyassay measures` has kept in the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from polyassay.measures.measuring.figures import tool_figures
from polyassay.measures.measuring.names import READABILITY, TITLES
from polyassay.measures.measuring.of_run import FINDINGS, all_measured, known_values
from polyassay.measures.measuring.request import Flavour
from polyassay.measures.measuring.rows import Row, by_tool, rows_of
from polyassay.measures.results import Results
from polyassay.measures.units import TaskKey
from polyassay.measures.worth.mining import Contradiction, mine
from polyassay.measures.worth.pairs import solved_pairs
from polyassay.measures.worth.people import with_people
from polyassay.measures.worth.summary import (
    Worth,
    judged_samples,
    known_measures,
    worth,
)
from polyassay.model import CandidateKey
from polyassay.report.measures.pictures import PICTURED, pictures
from polyassay.report.measures.tables import (
    pairs_table,
    people_table,
    tools_table,
    worth_table,
)
from polyassay.report.tables import Table
from polyassay.rubric.crosstab import opinions
from polyassay.rubric.stored import all_scores, used_rubric
from polyassay.store import Store
from polyassay.store.measured import MeasuredAnswers
from polyassay.store.scores import Scores

CASES = 10  # a side
MINED_BY = ("bleu", "codebleu")


@dataclass(frozen=True, slots=True)
class CaseLink:
    case: Contradiction
    page: int | None  # the number of its task's page


@dataclass(frozen=True, slots=True)
class MeasuresPage:
    flavour: str
    tools: Table
    worth: Table | None
    confounders: Table | None
    drawn: Mapping[str, Sequence[Markup]]  # measure's title → its pictures
    pairs: Sequence[Table]
    people: Sequence[Table]
    cases: Sequence[CaseLink]


def measures_pages(
    store: Store, results: Results, pages: Mapping[TaskKey, int]
) -> list[MeasuresPage]:
    """One a set of rules by which the run's answers were measured."""
    made = []
    for rules in MeasuredAnswers(store).rules(results.run.id):
        if rules != FINDINGS:
            made.append(_page(store, results, rules, pages))
    return sorted(made, key=lambda page: page.flavour != "standard")


def _page(store: Store, results: Results, rules: str, pages: Mapping[TaskKey, int]) -> MeasuresPage:
    passed = {
        CandidateKey(u.unit.suite, u.unit.task, tool, u.unit.prompt_language, s.number): s.passed
        for tool, units in results.scores.items()
        for u in units
        for s in u.counted
    }
    samples = all_measured(store, results.run, rules)
    known = (s for s in samples if (s.key.suite, s.key.task) in results.tasks)
    rows = rows_of(known, results.tasks, passed)
    flavour = Flavour.STANDARD if rules.startswith("standard") else Flavour.PUBLISHED
    names = known_measures(rows)
    found = worth(rows, names)
    return MeasuresPage(
        rules,
        tools_table(rules, [tool_figures(t, of, flavour) for t, of in by_tool(rows).items()], 0),
        worth_table(found) if found else None,
        _confounders(found),
        _by_measure(pictures(rows, found)),
        [pairs_table(p) for p in solved_pairs(rows, [n for n in names if n in READABILITY])],
        _people(store, results) if rules == "standard" else [],
        _cases(rows, pages),
    )


def _by_measure(drawn: Mapping[str, Markup]) -> dict[str, list[Markup]]:
    return {
        TITLES[name]: own
        for name in PICTURED
        if (own := [svg for file, svg in drawn.items() if file.endswith(f"-{name}")])
    }


def _confounders(found: Sequence[Worth]) -> Table | None:
    """The AUC within groups of tasks that are alike."""
    chosen = [one for one in found if one.measure in PICTURED]
    groups = list(dict.fromkeys(name for one in chosen for name in one.confounders))
    if not groups:
        return None
    rows = tuple(
        (
            group,
            *(
                f"{agreed.value:.2f}"
                if (agreed := one.confounders.get(group)) and agreed.value is not None
                else "unknown"
                for one in chosen
            ),
        )
        for group in groups
    )
    return Table(("AUC among", *(TITLES[one.measure] for one in chosen)), rows)


def _people(store: Store, results: Results) -> list[Table]:
    kept, verdicts = Scores(store), list(store.verdicts(results.run.id))
    values = known_values(store, results.run)
    clusters = {verdict.candidate: verdict.candidate.task for verdict in verdicts}
    tables = []
    for name in kept.rubrics():
        rubric = used_rubric(kept, name)
        said = opinions(verdicts, all_scores(kept, rubric, None), rubric)
        if found := with_people(values, said, clusters):
            tables.append(people_table(found))
    return tables


def _cases(rows: Sequence[Row], pages: Mapping[TaskKey, int]) -> list[CaseLink]:
    judged = judged_samples(rows)
    return [
        CaseLink(case, pages.get((case.key.suite, case.key.task)))
        for measure in MINED_BY
        for case in mine(judged, measure, CASES)
    ]
