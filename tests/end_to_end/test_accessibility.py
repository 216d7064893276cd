"""axe-core finds no serious problem on any kind of page, light and dark."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from end_to_end.grading_pages import answered_folder, at_item, served
from made import make_run
from made_report import large_run
from polyassay.cli import polyassay
from polyassay.store import Store
from real_parts import axe_core

SERIOUS = ("serious", "critical")
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def axe() -> str:
    return axe_core()


@contextmanager
def opened(browser: Any, page: Path, scheme: str) -> Iterator[Any]:
    """A page whose console nobody reads, because axe-core writes there."""
    context = browser.new_context(color_scheme=scheme)
    context.set_default_timeout(120_000)
    tab = context.new_page()
    tab.goto(page.as_uri())
    yield tab
    context.close()


def serious(tab: Any, axe: str) -> list[str]:
    """The serious problems of a page as it stands, each with the first element that has it."""
    tab.evaluate(axe)
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} ({len(one['nodes'])} in all)"
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]


def run(*arguments: str) -> None:
    done = CliRunner().invoke(polyassay, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module", params=[("finch", "heron"), ("finch", "heron", "owl", "wren")])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Two runs of the same suites, so that there is a history."""
    url = f"sqlite:///{tmp_path_factory.mktemp('axe') / 'store.sqlite'}"
    for _ in range(2):
        make_run(Store.open(url), *large_run(40, request.param), costs={"finch": 0.1})
    yield url


@pytest.fixture(scope="module")
def site(store: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    run("report", "latest", "-o", str(folder), "--store", store)
    return folder


@SCHEMES
@pytest.mark.parametrize("page", ["index.html", "tasks/3.html"])
def test_a_report(browser: Any, axe: str, site: Path, page: str, scheme: str) -> None:
    with opened(browser, site / page, scheme) as tab:
        tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert serious(tab, axe) == []


@SCHEMES
def test_a_leaderboard(browser: Any, axe: str, store: str, scheme: str, tmp_path: Path) -> None:
    run("leaderboard", "-o", str(tmp_path / "boards"), "--store", store)
    with opened(browser, tmp_path / "boards" / "index.html", scheme) as tab:
        assert serious(tab, axe) == []


@SCHEMES
def test_the_grading_room(browser: Any, axe: str, scheme: str, tmp_path: Path) -> None:
    folder = answered_folder(tmp_path, 2)
    with served(folder, "--repeat", "0") as server:
        context = browser.new_context(color_scheme=scheme)
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.goto(server.urls["ann"])
        at_item(tab, 1, 4)
        assert serious(tab, axe) == []
        tab.keyboard.press("?")
        assert serious(tab, axe) == []
        context.close()
