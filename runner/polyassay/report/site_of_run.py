"""From a run's results to the values that its report shows."""

from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.measures.results import Results, doubted
from polyassay.measures.table import HEADLINE, Measure
from polyassay.measures.units import TaskKey
from polyassay.report.first_page import make_site
from polyassay.report.rubric import rubric_tables
from polyassay.report.sections.history import histories
from polyassay.report.tasks.chosen import ALL_PAGES, WantedPages
from polyassay.report.trust.card import TrustCard
from polyassay.report.trust.history import history
from polyassay.report.views import Site
from polyassay.store import Run, Store
from polyassay.trust.kept import kept


def site_of_run(
    store: Store,
    results: Results,
    home: Path,
    margin: float | None = None,
    wanted: WantedPages = ALL_PAGES,
    by: Measure = HEADLINE,
) -> tuple[Site, dict[TaskKey, int]]:
    """The first page, and the pages of the tasks that have one."""
    if not results.scores:
        raise PolyAssayError(
            f"Run {results.run.id} has no verdict yet.",
            hint=f"Go on with `polyassay run --resume {results.run.id}`.",
        )
    people = rubric_tables(store, results, by)
    cards = trust_cards(store, results.run, home)
    past = histories(store, results, by)
    doubts = doubted(results, home)
    found = make_site(results, wanted, doubts, people, margin, cards, past, by)
    return found, found.pages()


def trust_cards(store: Store, run: Run, home: Path) -> list[TrustCard]:
    """One for each suite of the run, with what all runs in the store say about its tests."""
    return [
        TrustCard(suite, kept(home, suite.checksum), history(store, suite))
        for suite in store.suites(run).values()
    ]
