"""Answers from a real server, through a proxy that breaks things on purpose."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fault_proxy import Fault, FaultProxy
from made import make_task
from model_server import KEY, model_server
from polyassay.candidates import read_answers
from polyassay.errors import PolyAssayError
from polyassay.generate.asking import AskingBudget, Tally
from polyassay.generate.tools import tool_from
from polyassay.model import Suite
from polyassay.prompts import settings_from
from polyassay.study.answers import Questionnaire, ask
from polyassay.suites.registry import Registry

TASKS = tuple(make_task(f"t{i}", entry="f", prompts={"en": f"Do {i}."}) for i in range(6))
SUITE = Suite("s", "1", "0" * 64, TASKS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with model_server(tmp_path_factory.mktemp("model"), "--slots", "4") as port:
        yield port


@pytest.fixture
def proxy(server: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultProxy]:
    monkeypatch.setenv("TESTS_KEY", KEY)
    proxy = FaultProxy(server)
    yield proxy
    proxy.close()


def questionnaire(
    proxy: FaultProxy, tmp_path: Path, samples: int = 2, **values: Any
) -> Questionnaire:
    given = {
        "name": "tiny",
        "via": "openai",
        "model": "tiny-random",
        "base_url": proxy.url,
        "api_key_env": "TESTS_KEY",
        "max_tokens": 12,
    } | values
    tool = tool_from(given, "test")
    settings = settings_from({"template": tool.template})
    return Questionnaire(tool, settings, samples, tmp_path / "answers.jsonl")


def run(questionnaire: Questionnaire, tmp_path: Path, budget: AskingBudget | None = None) -> Tally:
    console = Console(file=(tmp_path / "log.txt").open("a"))
    return ask(questionnaire, {"s": SUITE}, Registry(tmp_path), budget or AskingBudget(), console)


def lines(questionnaire: Questionnaire) -> list[dict[str, Any]]:
    return [json.loads(line) for line in questionnaire.path.open()]


@pytest.mark.parametrize("via", ["openai", "completions"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_real_server_answers(via: str, stream: bool, proxy: FaultProxy, tmp_path: Path) -> None:
    asked = questionnaire(proxy, tmp_path, via=via, stream=stream, temperature=0.7)
    tally = run(asked, tmp_path)
    assert tally.answers == 12
    assert not tally.errors
    found = lines(asked)
    assert Counter(line["sample"] for line in found) == {0: 6, 1: 6}
    origins = [line["origin"] for line in found]
    assert len({origin["fingerprint"] for origin in origins}) == 12
    for origin in origins:
        assert origin["model"] == {"asked": "tiny-random", "answered": "tiny-random"}
        assert origin["tokens"]["input"] > 0
        assert origin["tokens"]["output"] > 0
        assert origin["cost"] is None  # without a price, unknown and not 0
        assert origin["seconds"] > 0
        assert origin["finish"] in ("truncated", "complete", "empty")
    assert all(sent.body["n"] == 2 for sent in proxy.log)  # both samples of a task at once
    assert len(proxy.log) == 6
    candidates = read_answers(asked.path, "x", {"s": SUITE}).candidates
    assert len(candidates) == 12
    assert all(candidate.origin for candidate in candidates)


def test_the_real_server_speaks_messages_too(proxy: FaultProxy, tmp_path: Path) -> None:
    url = proxy.url.removesuffix("/v1")
    asked = questionnaire(proxy, tmp_path, via="anthropic", base_url=url)
    tally = run(asked, tmp_path)
    assert tally.answers == 12
    assert not tally.unknown_tokens
    assert {sent.path for sent in proxy.log} == {"/v1/messages"}
    assert {line["origin"]["finish"] for line in lines(asked)} <= {"truncated", "complete", "empty"}


def test_seeds_are_one_a_sample_and_repeat(proxy: FaultProxy, tmp_path: Path) -> None:
    """The same is sent again; whether that gives the same text is up to the server.

    This one rounds differently when it serves several requests at once.
    """
    bodies = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        proxy.log.clear()
        run(questionnaire(proxy, folder, 3, seed=40, temperature=1.0), folder)
        assert Counter(sent.body["seed"] for sent in proxy.log) == {40: 6, 41: 6, 42: 6}
        bodies.append(sorted(json.dumps(sent.body, sort_keys=True) for sent in proxy.log))
        assert len({line["answer"] for line in lines(questionnaire(proxy, folder))}) > 3
    assert bodies[0] == bodies[1]


def test_stop_is_sent_and_cut_here(proxy: FaultProxy, tmp_path: Path) -> None:
    asked = questionnaire(proxy, tmp_path, stop=["e", "a"], max_tokens=60)
    run(asked, tmp_path)
    assert all(sent.body["stop"] == ["e", "a"] for sent in proxy.log)
    assert not any(set(line["answer"]) & {"e", "a"} for line in lines(asked))


def test_more_samples_than_the_server_makes_at_once(proxy: FaultProxy, tmp_path: Path) -> None:
    """It says 400 to n above its slots: then one by one, with a warning that is recorded."""
    asked = questionnaire(proxy, tmp_path, 6)
    tally = run(asked, tmp_path)
    assert tally.answers == 36
    assert list(tally.left_out) == ["n"]
    assert all(line["origin"]["left_out"] == ["n"] for line in lines(asked))


def test_going_on_and_asking_for_more(proxy: FaultProxy, tmp_path: Path) -> None:
    run(questionnaire(proxy, tmp_path, 1, seed=0), tmp_path)
    assert len(proxy.log) == 6
    assert run(questionnaire(proxy, tmp_path, 1, seed=0), tmp_path).answers == 0
    assert len(proxy.log) == 6  # nothing is asked twice
    assert run(questionnaire(proxy, tmp_path, 3, seed=0), tmp_path).answers == 12
    assert Counter(sent.body["seed"] for sent in proxy.log) == {0: 6, 1: 6, 2: 6}
    # what does not shape an answer may change
    assert (
        run(questionnaire(proxy, tmp_path, 3, seed=0, tries=2, concurrency=1), tmp_path).answers
        == 0
    )
    with pytest.raises(PolyAssayError, match=r"max_tokens was 12 and is 13"):
        run(questionnaire(proxy, tmp_path, 3, seed=0, max_tokens=13), tmp_path)
    assert len(proxy.log) == 18


DATE = "the date"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429, {"retry-after": "0.2"}),
        Fault(429, {"retry-after-ms": "200"}),
        Fault(429, {"retry-after": DATE}),
        Fault(429),
        Fault(500),
        Fault(503),
        Fault(200, body=b'{"choices": [{"mess'),
        Fault(200, body=b"<html>"),
        Fault(reset=True),
        Fault(cut=True),
    ],
    ids=[
        "429 seconds",
        "429 ms",
        "429 date",
        "429",
        "500",
        "503",
        "broken",
        "html",
        "reset",
        "cut",
    ],
)
def test_what_passes_is_asked_again(fault: Fault, proxy: FaultProxy, tmp_path: Path) -> None:
    if fault.headers.get("retry-after") == DATE:
        soon = datetime.now(UTC) + timedelta(seconds=1)
        fault = Fault(429, {"retry-after": format_datetime(soon, usegmt=True)})
    proxy.plan = lambda number, _body: fault if number < 3 else None
    asked = questionnaire(proxy, tmp_path, 1, seed=1)
    tally = run(asked, tmp_path)
    assert tally.answers == 6
    assert not tally.errors
    assert sum(tally.retries.values()) == 3
    assert len(proxy.log) == 9
    assert sum(line["origin"]["attempts"] for line in lines(asked)) == 9


def test_a_slow_body_ends_in_time(proxy: FaultProxy, tmp_path: Path) -> None:
    proxy.plan = lambda number, _body: Fault(200, slow=0.5) if number == 0 else None
    started = time.monotonic()
    tally = run(questionnaire(proxy, tmp_path, 1, seconds=1.5, concurrency=1), tmp_path)
    assert tally.answers == 6
    assert list(tally.retries) == ["no answer within 1.5 s"]
    assert time.monotonic() - started < 25  # the body alone would take as long


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_does_not_pass_ends_with_a_sentence(
    status: int, proxy: FaultProxy, tmp_path: Path
) -> None:
    told = json.dumps({"error": {"message": f"no, {KEY} is wrong"}}).encode()
    proxy.plan = lambda _number, _body: Fault(status, body=told)
    with pytest.raises(PolyAssayError) as error:
        run(questionnaire(proxy, tmp_path, 1, concurrency=1), tmp_path)
    assert f"the server says {status}" in error.value.problem
    assert KEY not in error.value.problem + error.value.hint
    assert len(proxy.log) == 3  # equal errors, each asked once
    assert questionnaire(proxy, tmp_path).path.read_bytes() == b""


def test_a_wrong_key_at_the_real_server(
    proxy: FaultProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTS_KEY", "sk-wrong")
    with pytest.raises(PolyAssayError, match="401: Invalid API Key"):
        run(questionnaire(proxy, tmp_path, 1), tmp_path)


def test_a_server_that_is_always_down(proxy: FaultProxy, tmp_path: Path) -> None:
    proxy.plan = lambda _number, _body: Fault(reset=True)
    with pytest.raises(PolyAssayError, match="cannot be reached"):
        run(questionnaire(proxy, tmp_path, 1, tries=2, concurrency=1), tmp_path)
    assert len(proxy.log) == 6  # three questions, two tries each


def test_one_bad_question_does_not_end_the_others(proxy: FaultProxy, tmp_path: Path) -> None:
    proxy.plan = lambda number, _body: Fault(400) if number == 2 else None
    tally = run(questionnaire(proxy, tmp_path, 1, seed=0), tmp_path)
    assert tally.answers == 5
    assert sum(tally.errors.values()) == 1
    proxy.plan = lambda _number, _body: None
    assert run(questionnaire(proxy, tmp_path, 1, seed=0), tmp_path).answers == 1  # asked again


def test_a_refused_parameter_is_left_out_once(proxy: FaultProxy, tmp_path: Path) -> None:
    def plan(_number: int, body: Any) -> Fault | None:
        for name in ("temperature", "max_tokens"):
            if name in body:
                error = {"message": f"Unsupported parameter: '{name}'", "param": name}
                return Fault(400, body=json.dumps({"error": error}).encode())
        return None

    proxy.plan = plan
    asked = questionnaire(proxy, tmp_path, 1, temperature=0.3, concurrency=1, seed=3)
    tally = run(asked, tmp_path)
    assert tally.answers == 6
    assert len(proxy.log) == 8  # each refusal is met once
    assert {*tally.left_out} == {"temperature", "max_tokens as max_completion_tokens"}
    assert proxy.log[-1].body["max_completion_tokens"] == 12


def test_a_budget_stops_cleanly(proxy: FaultProxy, tmp_path: Path) -> None:
    price = {"input": 1000.0, "output": 1000.0, "per": 1000}
    asked = questionnaire(proxy, tmp_path, 1, price=price, concurrency=1)
    tally = run(asked, tmp_path, AskingBudget(cost=1.0))  # one answer costs more than 1
    assert (tally.answers, tally.stopped) == (1, "--max-cost 1 is reached")
    assert tally.cost > 1
    assert run(asked, tmp_path, AskingBudget(cost=1.0)).answers == 0  # spent stays spent
    assert run(asked, tmp_path, AskingBudget(tokens=1)).stopped == "--max-tokens-total 1 is reached"
    assert len(proxy.log) == 1
    assert run(asked, tmp_path).answers == 5


def test_fewer_at_once_after_429(proxy: FaultProxy, tmp_path: Path) -> None:
    proxy.plan = lambda number, _body: Fault(429, {"retry-after": "0.1"}) if number < 8 else None
    tally = run(questionnaire(proxy, tmp_path, 4, seed=0, concurrency=8), tmp_path)
    assert tally.answers == 24
    assert not tally.errors
    assert proxy.most_at_once <= 8
