"""The report on a phone and on paper, and its words explained, in a real Chromium."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from made import make_run
from made_report import large_run
from polyassay.cli import polyassay
from polyassay.store import Store
from report_pages import opened

# Tables that are wider than the page and cannot be scrolled to their last column.
LOST = """() => [...document.querySelectorAll("table")].filter((table) => {
  const box = table.closest(".wide");
  if (table.getBoundingClientRect().right <= innerWidth && !box) return false;
  if (!box) return true;
  box.scrollLeft = 1e6;
  const row = table.rows[table.rows.length - 1];
  const last = row.cells[row.cells.length - 1];
  return last && last.offsetWidth > 1 && last.getBoundingClientRect().right > innerWidth + 1;
}).map((table) => table.id)"""


@pytest.fixture(scope="module", params=[("finch", "heron"), ("finch", "heron", "owl", "wren")])
def tools(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


@pytest.fixture(scope="module")
def site(tools: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("phone")
    url = f"sqlite:///{folder / 'store.sqlite'}"
    for _ in range(2):
        make_run(Store.open(url), *large_run(60, tools))
    arguments = ["report", "latest", "-o", str(folder / "site"), "--store", url]
    assert CliRunner().invoke(polyassay, arguments, catch_exceptions=False).exit_code == 0
    return folder / "site"


@pytest.mark.parametrize("width", [360, 768, 1400, 2200])
def test_no_column_is_out_of_reach(browser, site: Path, width: int) -> None:  # type: ignore[no-untyped-def]
    for page in ("index.html", "tasks/3.html"):
        with opened(browser, site / page) as tab:
            tab.set_viewport_size({"width": width, "height": 800})
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.evaluate(LOST) == []
            # A keyboard reaches what a finger can push.
            boxes = tab.locator(".wide:not([tabindex]):not(:has(a))")
            assert boxes.count() == 0


def test_two_tools_print_on_two_pages_and_more_on_three(  # type: ignore[no-untyped-def]
    browser, site: Path, tools: tuple[str, ...]
) -> None:
    with opened(browser, site / "index.html") as tab:
        printed = tab.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= (2 if len(tools) == 2 else 3)


def test_words_are_explained_where_they_stand(browser, site: Path) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, site / "tasks" / "0.html") as tab:
        word = tab.locator(".term").first
        expect(word.locator("span")).to_be_hidden()
        word.locator("summary").focus()
        tab.keyboard.press("Enter")
        expect(word.locator("span")).to_contain_text("could forge its result")
    with opened(browser, site / "index.html") as tab:
        explained = tab.locator(".words dt").all_inner_texts()
        assert {"judged together", "judged apart", "weak", "flaky"} <= set(explained)
