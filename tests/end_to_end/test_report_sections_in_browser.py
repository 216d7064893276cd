"""History, cost, the heatmap and tables to take along, in a real Chromium."""

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from made import make_run
from made_report import HOSTILE, hostile_run, large_run
from polyassay.cli import polyassay
from polyassay.store import Store
from polyassay.store.housekeeping import label_run
from report_pages import opened

TOOLS = ("finch", "heron", "owl", "wren")
COSTS = {"finch": 0.001, "heron": 0.004, "owl": 0.002}


def written(folder: Path, url: str) -> Path:
    arguments = ["report", "latest", "-o", str(folder / "site"), "--store", url]
    result = CliRunner().invoke(polyassay, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return folder / "site" / "index.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tools, three runs of the same two suites, costs of three tools; the last run counts."""
    folder = tmp_path_factory.mktemp("many")
    url = f"sqlite:///{folder / 'store.sqlite'}"
    store = Store.open(url)
    tasks, verdicts = large_run(90, TOOLS)
    for number, label in enumerate(("spring", "summer", "autumn"), start=2):
        kept = [one for one in verdicts if one.candidate.tool in TOOLS[:number]]
        label_run(store, make_run(store, tasks, kept, costs=COSTS), label)
    return written(folder, url)


def saved(tab, link) -> list[dict[str, str]]:  # type: ignore[no-untyped-def]
    with tab.expect_download() as waiting:
        link.click()
    text = Path(waiting.value.path()).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def test_history_shows_every_run_of_the_suite(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        section = tab.locator("section", has=tab.locator("#history-title"))
        assert section.locator("h3").all_inner_texts() == ["pads-java", "pads-python"]
        drawn = section.locator("svg.trend").first
        named = [one.text_content() for one in drawn.locator("g > text:not(.date)").all()]
        assert named == ["spring", "summer", "autumn"]
        assert drawn.locator(".shown text").first.text_content() == "autumn"
        # Two, three and four tools.
        assert drawn.locator("circle").count() == 9
        section.locator("summary").first.click()
        rows = saved(tab, section.locator("a[download]").first)
        assert [row["run"] for row in rows] == ["spring", "summer", "autumn"]
        assert rows[0]["wren"] == ""
        # The last run's figure is the one that the table of groups has.
        heads = tab.locator("#groups thead th").all_inner_texts()
        row = tab.locator("#groups tr", has_text="java").first
        group = row.locator("td strong").nth(heads.index("wren") - 1)
        assert f"{100 * float(rows[2]['wren']):.1f} %" == group.inner_text()


def test_cost_is_drawn_where_it_is_known(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        names = tab.locator(".trend text.name").all_text_contents()
        assert names == list(COSTS)
        assert "Cost unknown: wren." in tab.locator("section").nth(1).inner_text()
        dots = tab.locator(".trend").first.locator("circle")
        across = [float(dots.nth(i).get_attribute("cx")) for i in range(3)]
        assert across[0] < across[2] < across[1]


def test_every_field_of_the_heatmap_opens_its_tasks(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        heat = tab.locator("#heat")
        expect(heat.locator("tbody tr")).to_have_count(4)
        columns = heat.locator("thead th").all_text_contents()[1:]
        assert len(columns) == 60  # 90 tasks in 60 columns
        opened_tasks = 0
        for place in range(0, 60, 7):
            field = heat.locator("tbody tr").first.locator("a").nth(place)
            field.click()
            count = tab.locator("#task-list tbody tr").count()
            told = columns[place].split()
            assert count == (int(told[0]) if len(told) > 1 else 1)
            opened_tasks += count
            assert f"column={place}" in tab.url
        assert opened_tasks > 9


def test_the_heatmap_needs_one_tab_stop_and_arrow_keys(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        heat = tab.locator("#heat")
        assert heat.locator('a[tabindex="0"]').count() == 1
        heat.locator('a[tabindex="0"]').focus()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("ArrowUp")
        tab.keyboard.press("ArrowDown")
        here = tab.evaluate(
            "[document.activeElement.dataset.column,"
            " document.activeElement.closest('tr').sectionRowIndex]"
        )
        assert here == ["1", 1]
        assert heat.locator('a[tabindex="0"]').count() == 1
        tab.keyboard.press("Enter")
        assert "column=1" in tab.url
        tab.keyboard.press("ArrowLeft")  # elsewhere, it scrolls


def test_every_table_can_be_taken_along(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        names = [one.get_attribute("download") for one in tab.locator("a[download]").all()]
        assert {"scores.csv", "rivals.csv", "costs.csv", "groups.csv", "outcomes.csv"} <= set(names)
        assert len(names) == len(set(names))
        scores = saved(tab, tab.locator('a[download="scores.csv"]'))
        shown = tab.locator("#scores tbody tr").first.inner_text()
        assert f"{100 * float(scores[0]['pass@1']):.1f} %" in shown
        assert scores[0]["solved of"] == "90"


def test_the_tasks_that_are_chosen_can_be_taken_along(browser, page: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, page) as tab:
        tab.locator("#show").select_option("every")
        expected = int(tab.locator("#found").inner_text().split()[0])
        rows = saved(tab, tab.locator("#tasks-csv"))
        assert len(rows) == expected > 0
        assert {row["heron outcome"] for row in rows} == {"passed"}


def test_no_name_becomes_a_formula(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    tasks, verdicts = hostile_run()
    make_run(Store.open(url), tasks, verdicts)
    with opened(browser, written(tmp_path, url)) as tab:
        rows = saved(tab, tab.locator('a[download="scores.csv"]'))
        assert rows[1]["tool"] == HOSTILE
        tab.locator("#show").select_option("all")
        rows = saved(tab, tab.locator("#tasks-csv"))
        assert f"{HOSTILE} outcome" in rows[0]
