"""The static site in a real headless Chromium, opened from its file."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from made import make_run
from made_report import HOSTILE, hostile_run, large_run
from polyassay.cli import polyassay
from polyassay.model import Task, Verdict
from polyassay.report.tasks import listed
from polyassay.store import Store
from report_pages import column, opened

TIMELINE = ["toplevel", "disabled-by-default-devtools.timeline", "disabled-by-default-cpu_profiler"]


def build(folder: Path, run: tuple[list[Task], list[Verdict]], *options: str) -> Path:
    url = f"sqlite:///{folder / 'store.sqlite'}"
    make_run(Store.open(url), *run)
    arguments = ["report", "latest", "-o", str(folder / "site"), "--store", url, *options]
    result = CliRunner().invoke(polyassay, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return folder / "site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("usual"), large_run(60))


def test_the_answer_comes_first(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        assert "better" in tab.locator("h1").inner_text()
        assert "95 %:" in tab.locator(".answer p").nth(1).inner_text()
        titles = tab.locator("h2").all_inner_texts()
    assert titles.pop(5).startswith("By language")
    assert titles == [
        "Scores",
        "Head to head",
        "By share of tests",
        "Pass ratios",
        "Outcomes",
        "Tasks",
        "How far the tests can be trusted",
        "Small print",
    ]


def test_tables_sort_both_ways(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        button = tab.locator("#scores th button", has_text="pass@1")
        button.click()
        falling = column(tab, "scores", 2)
        button.click()
        rising = column(tab, "scores", 2)
        assert rising == falling[::-1]
        assert float(falling[0].split()[0]) >= float(falling[1].split()[0])
        assert tab.locator("#scores th[aria-sort]").get_attribute("aria-sort") == "ascending"
        tab.locator("#show").select_option("all")
        tab.locator("#task-list th button", has_text="id").click()
        assert column(tab, "task-list", 2) == sorted(column(tab, "task-list", 2), key=int)


def test_tasks_filter(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        tab.locator("#show").select_option("b")
        cells = column(tab, "task-list", 5), column(tab, "task-list", 6)
        assert cells[0]
        assert all(text.startswith("✗") for text in cells[0])
        assert all(text.startswith("✓") for text in cells[1])
        tab.locator("#clear").click()
        expect(tab.locator("#task-list tbody tr")).to_have_count(60)
        tab.keyboard.press("Escape")
        tab.locator("h1").click()
        tab.keyboard.press("/")
        tab.keyboard.type("is 13 char")
        assert column(tab, "task-list", 2) == ["13"]
        tab.locator("#search").fill("")
        tab.locator("#prompt-language").select_option("zh")
        assert set(column(tab, "task-list", 4)) == {"zh"}
        assert tab.locator("#found").inner_text() == "12 of 60 tasks"


def test_every_dot_opens_as_many_tasks_as_it_says(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        dots = tab.locator("[data-dot]")
        assert dots.count() > 5
        for i in range(dots.count()):
            told = int(dots.nth(i).get_attribute("aria-label").split()[0].replace(",", ""))
            dots.nth(i).focus()
            tab.keyboard.press("Enter")
            assert tab.locator("#task-list tbody tr").count() == told


def test_every_quadrant_opens_as_many_tasks_as_it_says(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        counts = []
        for link in tab.locator("[data-show]").all():
            counts.append(int(link.inner_text().split()[0]))
            link.click()
            expect(tab.locator("#task-list tbody tr")).to_have_count(counts[-1])
    assert len(counts) == 4
    assert sum(counts) == 60


def test_what_is_chosen_stays_in_the_address_and_leads_through_the_tasks(
    browser, site: Path
) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        tab.locator("#show").select_option("b")
        tab.locator("#task-list th button", has_text="id").click()
        ids = column(tab, "task-list", 2)
        assert tab.url.endswith("#show=b&order=task")
        tab.goto("about:blank")
        tab.go_back()
        expect(tab.locator("#task-list tbody tr")).to_have_count(len(ids))
        assert column(tab, "task-list", 2) == ids
        seen = []
        tab.locator("#task-list tbody a").first.click()
        for i in range(len(ids)):
            expect(tab.locator(".pager .place")).to_have_text(f"{i + 1} of {len(ids)} chosen tasks")
            seen.append(tab.locator("h1").inner_text().split()[0])
            tab.keyboard.press("n")
        assert seen == ids
        tab.locator(".crumb a").click()
        expect(tab.locator("#task-list tbody tr")).to_have_count(len(ids))
        assert column(tab, "task-list", 2) == ids


def test_the_difference_is_drawn_with_its_margin(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = build(tmp_path, large_run(60), "--margin", "5")
    with opened(browser, folder / "index.html") as tab:
        drawn = tab.locator("svg.difference")
        dot, reach = drawn.locator("circle"), drawn.locator(".reach")
        ends = float(reach.get_attribute("x1")), float(reach.get_attribute("x2"))
        assert ends[0] < float(dot.get_attribute("cx")) < ends[1]
        assert drawn.locator(".margin").count() == 1
        assert "1 sample a task" in tab.locator(".answer p").first.inner_text()
        assert (
            drawn.locator("text.value").text_content().lstrip("+−")
            in tab.locator(".answer p").nth(1).inner_text()
        )
        assert "by more than 5 points" in tab.locator(".advice").first.inner_text()


def test_a_task_page_opens_with_both_answers(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "index.html") as tab:
        tab.locator("#search").fill("1")
        tab.locator("#show").select_option("all")
        tab.locator("#task-list tbody a", has_text="13").first.click()
        tab.wait_for_selector("article")
        tab.wait_for_load_state()  # keys work once the page's scripts have run
        assert tab.locator("article h2").all_inner_texts() == ["finch", "heron"]
        assert "def pad_left" in tab.locator("article .code").first.inner_text()
        assert tab.locator("article .code .k").count() > 0
        first = tab.url
        tab.keyboard.press("n")
        tab.wait_for_url(lambda url: url != first)


def test_hostile_text_shows_as_text(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = build(tmp_path, hostile_run())
    with opened(browser, folder / "index.html") as tab:
        tab.locator("#show").select_option("all")
        assert HOSTILE in tab.locator("#task-list").inner_text()
        assert HOSTILE in tab.locator("#scores").inner_text()
        tab.locator("#task-list tr", has_text="evil").locator("a").click()
        tab.wait_for_selector("article")
        tab.wait_for_load_state()  # keys work once the page's scripts have run
        body = tab.locator("body").inner_text()
        assert body.count(HOSTILE) > 8
        assert HOSTILE in tab.locator("article .code").first.inner_text()
        assert tab.evaluate("window.hacked") is None
        assert tab.locator("main script, main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_and_a_phone(browser, site: Path, scheme: str) -> None:  # type: ignore[no-untyped-def]
    phone = {"color_scheme": scheme, "viewport": {"width": 390, "height": 844}}
    context = browser.new_context(**phone)
    for page in ("index.html", "tasks/3.html"):
        tab = context.new_page()
        tab.goto((site / page).as_uri())
        dark = "getComputedStyle(document.body).backgroundColor"
        before = tab.evaluate(dark)
        assert (before == "rgb(255, 255, 255)") is (scheme == "light")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        tab.locator("#theme").click()
        assert tab.evaluate(dark) != before
        tab.locator("#theme").click()
    context.close()


def test_5000_candidates_stay_quick(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = build(tmp_path, large_run(2500))
    weight = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    assert weight < 1_000_000
    browser.start_tracing(categories=TIMELINE)
    with opened(browser, folder / "index.html") as tab:
        tab.locator("#show").select_option("all")
        tab.locator("#search").fill("pad")
        tab.locator("#task-list th button", has_text="heron").click()
        tab.locator("#more").click()
        assert tab.locator("#task-list tbody tr").count() == 200
    longest = longest_task(json.loads(browser.stop_tracing()))
    assert 0 < longest < 200, f"{longest:.0f} ms"


def test_a_long_list_is_loaded_from_its_files_when_it_is_searched(  # type: ignore[no-untyped-def]
    browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listed, "_LARGE", 4000)  # characters, as a run of 5,000 tasks has too many
    folder = build(tmp_path, large_run(250))
    parts = sorted(path.name for path in folder.glob("tasks-*.js"))
    assert len(parts) > 2
    with opened(browser, folder / "index.html") as tab:
        loaded: list[str] = []
        tab.on("request", lambda request: loaded.append(Path(request.url).name))
        expect(tab.locator("#task-list tbody tr").first).to_be_visible()  # those that differ
        assert loaded == []
        tab.locator("#show").select_option("all")
        expect(tab.locator("#found")).to_have_text("250 tasks")
        assert sorted(loaded) == parts
        tab.locator("#search").fill("is 213 char")
        expect(tab.locator("#task-list tbody tr")).to_have_count(1)
        assert column(tab, "task-list", 2) == ["213"]


def longest_task(trace: dict[str, Any]) -> float:
    """Milliseconds of CPU time in one task of a page's main thread: the machine may be busy."""
    events = trace["traceEvents"]
    main_threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    times = [
        event["tdur"] / 1000
        for event in events
        if event["name"].endswith("RunTask")
        and (event["pid"], event["tid"]) in main_threads
        and "tdur" in event
    ]
    return max(times, default=0.0)
