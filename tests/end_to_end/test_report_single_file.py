"""The report in one file, and as a summary, in a real Chromium."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from made import make_run
from made_report import HOSTILE, hostile_run, large_run
from polyassay.cli import polyassay
from polyassay.model import Task, Verdict
from polyassay.store import Store
from report_pages import column, opened


def store_with(folder: Path, run: tuple[list[Task], list[Verdict]]) -> str:
    url = f"sqlite:///{folder / 'store.sqlite'}"
    make_run(Store.open(url), *run)
    return url


def report(url: str, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(polyassay, ["report", "latest", "--store", url, *arguments])
    return done.exit_code, done.stdout  # what takes long is told elsewhere


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("single")
    url = store_with(folder, large_run(60))
    file = folder / "out" / "report.html"
    assert report(url, "--single-file", "-o", str(file)) == (0, f"Open {file}\n")
    return file


def test_one_file_has_everything(browser, single: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, single) as tab:
        tab.locator("#show").select_option("b")
        tab.locator("#task-list th button", has_text="id").click()
        ids = column(tab, "task-list", 2)
        tab.locator("#task-list tbody a").first.click()
        seen = []
        for i in range(len(ids)):
            expect(tab.locator(".pager .place")).to_have_text(f"{i + 1} of {len(ids)} chosen tasks")
            seen.append(tab.locator("h1:visible").inner_text().split()[0])
            assert tab.locator("article .code").count() > 0
            tab.keyboard.press("n")
        assert seen == ids
        tab.get_by_text("← all tasks").click()
        expect(tab.locator("#task-list tbody tr")).to_have_count(len(ids))
        assert column(tab, "task-list", 2) == ids
        tab.go_back()
        expect(tab.locator("h1:visible")).to_contain_text(ids[-1])


def test_hostile_text_stays_text_in_one_file(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    url = store_with(tmp_path, hostile_run())
    assert report(url, "--single-file", "-o", str(tmp_path / "r.html"))[0] == 0
    with opened(browser, tmp_path / "r.html") as tab:
        tab.locator("#show").select_option("all")
        assert HOSTILE in tab.locator("#task-list").inner_text()
        tab.locator("#task-list tr", has_text="evil").locator("a").click()
        expect(tab.locator("article").first).to_be_visible()
        assert HOSTILE in tab.locator("article .code").first.inner_text()
        assert tab.evaluate("window.hacked") is None


def test_the_summary_can_be_copied(browser, single: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    url = store_with(tmp_path, large_run(60))
    code, told = report(url, "--markdown")
    assert code == 0
    with opened(browser, single) as tab:
        copied = tab.locator("#copy").get_attribute("data-text")
        tab.locator("#copy").click()
        expect(tab.locator("#copied")).not_to_be_empty()
    assert _without_run(copied) == _without_run(told)
    assert told.startswith("### ")
    assert "| finch | " in told
    assert "only by heron: " in told


def _without_run(text: str) -> str:
    return re.sub(r"(run|--from) \w+", "", text).strip()


def test_names_mean_nothing_to_markdown(tmp_path: Path) -> None:
    _, told = report(store_with(tmp_path, hostile_run()), "--markdown")
    assert "<script" not in told
    assert "&lt;script&gt;" in told


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "Where the report goes is missing."),
        (("--single-file", "--markdown"), "--single-file needs a file."),
        (("--single-file", "-o", "."), "is a folder."),
        (("-o", __file__), "is a file."),
    ],
)
def test_places_that_do_not_fit(arguments: tuple[str, ...], problem: str, tmp_path: Path) -> None:
    url = store_with(tmp_path, large_run(6))
    done = CliRunner().invoke(polyassay, ["report", "latest", "--store", url, *arguments])
    assert done.exit_code != 0
    assert problem in str(done.exception) + done.output
