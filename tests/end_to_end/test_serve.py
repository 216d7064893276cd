"""`polyassay serve` in a real Chromium, while a real run goes on; and what it refuses."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect

from command_line import command, environment, write_jsonl
from made import make_run
from made_report import HOSTILE, hostile_run, large_run
from polyassay.store import Store
from report_pages import opened_address

SLOW = 120  # candidates that take a while, in several batches


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a `polyassay serve` of its own."""
    process = subprocess.Popen(
        command("serve", "--port", "0", "--json"),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.send_signal(signal.SIGINT)  # as Ctrl-C: it ends in order
        _, said = process.communicate(timeout=30)
        assert process.returncode == 0, said
        assert "Traceback" not in said


def opened(browser, url: str):  # type: ignore[no-untyped-def]
    """A page that asks this server alone."""
    return opened_address(browser, url, f"{urlsplit(url).scheme}://{urlsplit(url).netloc}/")


def slow_answers(folder: Path) -> tuple[Path, Path]:
    """A suite of tasks that each take a tenth of a second, and an answer to each."""
    tasks = [
        {
            "id": f"t{n}",
            "language": "python",
            "prompts": {"en": f"Add {n} to x"},
            "style": "function",
            "entry": "add",
            "tests": [{"code": f"assert add(1) == {1 + n}"}],
        }
        for n in range(SLOW)
    ]
    answers = [
        {
            "task": f"t{n}",
            "tool": "finch",
            "answer": f"import time\ndef add(x):\n    time.sleep(.1)\n    return x + {n}\n",
        }
        for n in range(SLOW)
    ]
    return (
        write_jsonl(folder / "tasks.jsonl", tasks),
        write_jsonl(folder / "answers.jsonl", answers),
    )


def followed(tab, running: subprocess.Popen[bytes]) -> set[str]:  # type: ignore[no-untyped-def]
    """What the strip said while the run went on."""
    seen = set()
    while running.poll() is None:
        with suppress(Error):  # the page is just being loaded again
            seen.add(tab.evaluate("document.querySelector('#live span')?.textContent"))
        tab.wait_for_timeout(100)
    return seen - {None}


def test_a_run_is_followed_from_its_first_verdict_to_its_last(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tasks, answers = slow_answers(tmp_path)
    arguments = ("suites", "add", "native", "--from", str(tasks), "--as", "slow")
    subprocess.run(command(*arguments), cwd=tmp_path, env=environment(), check=True)
    with serving(tmp_path) as url, opened(browser, url) as tab:
        expect(tab.locator("#runs")).to_contain_text("no run yet")
        running = subprocess.Popen(
            command("run", "-s", "slow", "-c", str(answers), "-j", "1"),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        row = tab.locator("#runs tr[data-run]")
        expect(row).to_have_count(1, timeout=60_000)  # it appears by itself
        row.locator("a").click()
        tab.wait_for_url("**/runs/*/")
        seen = followed(tab, running)
        assert running.wait() == 0
        expect(tab.locator("#live")).to_have_count(0, timeout=60_000)
        assert len(seen) > 2, seen  # it moved before the eyes of the reader
        expect(tab.locator("#scores")).to_contain_text(f"{SLOW}/{SLOW}")
        tab.locator("#show").select_option("all")
        tab.locator("#task-list tbody a").first.click()
        expect(tab.locator("article .code").first).to_contain_text("time.sleep")
        tab.get_by_role("link", name="Runs").click()
        expect(row.locator(".judged")).to_have_text(str(SLOW))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    store = Store.at(folder / ".polyassay")
    make_run(store, *large_run(40))
    make_run(store, *hostile_run())
    return folder


@pytest.fixture(scope="module")
def served(kept: Path) -> Iterator[str]:
    with serving(kept) as url:
        yield url


def ask(url: str, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    """Paths as they are given: no client tidies them up."""
    place = urlsplit(url)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=60)
    body = b"{}" if method == "POST" else None
    sent = {"Content-Type": "application/json"} if body else {}
    connection.request(method, place.path + path, body, sent | headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_the_pages_are_the_reports(browser, served: str) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, served) as tab:
        assert tab.locator("#runs tr[data-run]").count() == 2
        tab.locator("#runs tr[data-run] a").last.click()
        assert "better" in tab.locator("h1").inner_text()
        assert tab.locator("#live").count() == 0
        tab.locator("#show").select_option("b")
        tab.locator("#task-list tbody a").first.click()
        tab.wait_for_selector("article")
        tab.wait_for_load_state()  # keys work once the page's scripts have run
        first = tab.url
        tab.keyboard.press("n")
        tab.wait_for_url(lambda url: url != first)
        assert tab.locator("article h2").all_inner_texts() == ["finch", "heron"]


def test_the_leaderboard_ranks_all_complete_runs(browser, served: str) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, served) as tab:
        tab.get_by_role("link", name="Leaderboard").click()
        expect(tab.locator("h1")).to_have_text("Leaderboard")
        assert tab.locator("table.board").count() > 1
        assert "finch" in tab.locator("#runs-title + p").inner_text()
        assert (
            tab.get_by_role("link", name="History").get_attribute("href").endswith("#history-title")
        )


def test_hostile_text_shows_as_text(browser, served: str) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, served) as tab:
        tab.locator("#runs tr[data-run] a").first.click()
        assert HOSTILE in tab.locator("#scores").inner_text()
        assert tab.evaluate("window.hacked") is None


def test_only_the_token_opens_it(served: str) -> None:
    assert ask(served, "")[0] == 200
    token = urlsplit(served).path.strip("/")
    for wrong in (served.replace(token, token[:-1]), served.replace(f"/{token}/", "/")):
        assert ask(wrong, "state")[0] == 404
    assert ask(served, "", Host="evil.example")[0] == 403


def test_nothing_can_be_changed(served: str) -> None:
    for path in ("", "state", "runs/latest/", "runs/latest/state"):
        assert ask(served, path, "POST")[0] == 405, path
        assert ask(served, path, "DELETE")[0] == 501, path


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "runs/latest/../../../store.sqlite",
        "runs/latest/tasks/../index.html",
        "runs/latest/tasks/%2e%2e/%2e%2e/etc/passwd",
        "runs/latest/tasks/1.html/",
        "runs/latest/tasks/999999.html",
        "runs/latest/tasks/-1.html",
        "runs/latest/tasks/%D9%A3.html",  # an Arabic 3
        "runs/latest//etc/passwd",
        "runs/nobody/",
        "runs/../state",
        "runs//",
        "store.sqlite",
        "live.py",
    ],
)
def test_a_name_that_is_no_pages_is_not_found(served: str, path: str) -> None:
    status, text = ask(served, path)
    assert status == 404
    assert "root:" not in text
