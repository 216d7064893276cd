"""Which tasks of a run have a page, and how the list of them is shared out."""

import json
from pathlib import Path
from typing import Any

import pytest

from made import make_run
from made_report import large_run
from polyassay.errors import PolyAssayError
from polyassay.measures.doubts import Doubts
from polyassay.measures.results import Results, load
from polyassay.report.first_page import make_site
from polyassay.report.task_pages import task_pages
from polyassay.report.tasks import listed
from polyassay.report.tasks.chosen import WantedPages, wanted_pages
from polyassay.report.views import Site
from polyassay.store import Store


@pytest.fixture
def results(tmp_path: Path) -> Results:
    store = Store.at(tmp_path)
    tasks, verdicts = large_run(60)
    run = make_run(store, tasks, verdicts)
    return load(store, run)


def site_of(results: Results, wanted: WantedPages) -> Site:
    return make_site(results, wanted, Doubts())


def value_of(script: str) -> Any:
    return json.loads(script.partition("=")[2].rstrip(";\n"))


@pytest.mark.parametrize(
    ("asked", "verdicts", "single_file", "wanted"),
    [
        (None, 20_000, False, WantedPages()),
        (None, 1_000_000, False, WantedPages(most=100)),
        (None, 1_000_000, True, WantedPages(most=20)),
        ("all", 1_000_000, False, WantedPages()),
        ("differing", 10, False, WantedPages(differing=True)),
        ("7", 10, False, WantedPages(most=7)),
    ],
)
def test_a_large_run_gets_fewer_pages(
    asked: str | None, verdicts: int, single_file: bool, wanted: WantedPages
) -> None:
    assert wanted_pages(asked, verdicts, 5000, single_file) == wanted


def test_what_is_no_choice_is_refused() -> None:
    with pytest.raises(PolyAssayError, match='"some" does not say which tasks'):
        wanted_pages("some", 10, 5, False)


def test_pages_are_of_the_tasks_that_differ_most(results: Results) -> None:
    every = site_of(results, WantedPages())
    assert len(every.pages()) == 60 and every.pages_note == ""
    differing = site_of(results, WantedPages(differing=True))
    ahead = {
        (row.suite, row.task): abs(row.results[1].ratio - row.results[0].ratio)
        for row in every.tasks
        if row.results[0] and row.results[1] and row.results[0].solving != row.results[1].solving
    }
    assert differing.pages().keys() == ahead.keys() and 0 < len(ahead) < 60
    few = site_of(results, WantedPages(most=5))
    assert sorted(few.pages().values()) == [0, 1, 2, 3, 4]
    least = min(ahead[key] for key in few.pages())
    assert all(ahead[key] <= least for key in ahead.keys() - few.pages().keys())
    assert few.pages_note.startswith(
        "Of 60 tasks 5 have pages, those on which finch and heron differ most."
    )


def test_of_one_tool_the_first_tasks_have_pages(results: Results) -> None:
    alone = Results(
        results.run, results.tasks, {"finch": results.scores["finch"]}, 60, results.candidates
    )
    site = site_of(alone, WantedPages(most=1))
    assert list(site.pages().values()) == [0] and site.tasks[0].page == 0
    assert site.pages_note.startswith("Of 60 tasks 1 has a page. ")


def test_a_long_list_is_several_files(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_of(results, WantedPages())
    (whole,) = listed.task_scripts(site)
    data = value_of(whole)
    assert (len(data["rows"]), data["parts"], data["total"]) == (60, 0, 60)
    monkeypatch.setattr(listed, "_LARGE", 2000)
    monkeypatch.setattr(listed, "SHOWN_FIRST", 4)
    first, *parts = listed.task_scripts(site)
    head = value_of(first)
    assert head["parts"] == len(parts) > 1 and head["used"] == data["used"]
    assert [row for part in parts for row in value_of(part)] == data["rows"]
    differences = [abs(row[6][1][1] - row[6][0][1]) for row in head["rows"]]
    assert len(differences) == 4 and differences == sorted(differences, reverse=True)
    assert listed.task_scripts(site, at_once=True) == [whole]


def test_a_page_has_what_its_answers_cost(tmp_path: Path) -> None:
    store = Store.at(tmp_path)
    tasks, verdicts = large_run(4)
    results = load(store, make_run(store, tasks, verdicts, costs={"finch": 0.0125}))
    keys = {(task.suite, task.id): number for number, task in enumerate(tasks)}
    pages = list(task_pages(store, results, keys, {}))
    costs = {
        (tool, one.costs)
        for page in pages
        for asked in page.asked
        for tool, attempts in asked.attempts.items()
        for one in attempts
    }
    assert costs == {("finch", ("cost 0.0125",)), ("heron", ())}
