"""The parts of asking that need no server."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from made import make_task
from polyassay.cli.common import model_options
from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile
from polyassay.generate.fingerprint import fingerprint, shape_of
from polyassay.generate.pace import Pace
from polyassay.generate.records import line_of
from polyassay.generate.replies import Finish, Question, Reply, Tokens, cost_of
from polyassay.generate.retry import Retry, retry_after
from polyassay.generate.tools import Price, Tool, tool_from
from polyassay.prompts import render, settings_from

TOOL = {"name": "x", "via": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}


def question(**settings: object) -> Question:
    task = make_task("t", entry="t", signature="def t(x)")
    return Question(task, render(task, settings_from(settings)), "en", (0, 1))


def line(tool: Tool, sample: int, text: str = "code") -> dict[str, Any]:
    return line_of(tool, question(), sample, Reply(text, Finish.COMPLETE), 1, 0.5, "now")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2020 07:28:30 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    now = datetime(2026, 10, 21, 7, 28, tzinfo=UTC)
    assert retry_after(headers, now) == seconds


def test_waits_grow_and_are_bounded() -> None:
    retry = Retry(jitter=lambda: 1.0)
    assert [retry.wait(failed, None) for failed in (1, 2, 3, 12)] == [0.5, 1.0, 2.0, 60.0]
    assert Retry(jitter=lambda: 0.0).wait(3, None) == 1.0
    assert Retry(jitter=lambda: 0.0).wait(1, 20.0) == 20.0


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_requests_and_tokens_a_minute() -> None:
    async def starts(pace: Pace, tokens: float) -> list[float]:
        found = []
        for _ in range(4):
            async with pace.slot(tokens) as began:
                found.append(began)
        return found

    clock = Clock()
    assert asyncio.run(starts(Pace(2, 30.0, None, clock, clock.sleep), 0)) == [0, 2, 4, 6]
    clock = Clock()
    assert asyncio.run(starts(Pace(2, None, 600.0, clock, clock.sleep), 50)) == [0, 5, 10, 15]


def test_a_busy_server_is_asked_less() -> None:
    async def go() -> None:
        clock = Clock()
        pace = Pace(16, clock=clock, sleep=clock.sleep)
        for _ in range(200):
            pace.answered()
        assert pace.allowed == 16
        clock.now = 1.0
        for _ in range(5):  # all of these were on their way together
            pace.refused(0.5, None)
        assert pace.allowed == 8
        clock.now = 2.0
        pace.refused(1.5, 10.0)
        assert pace.allowed == 4
        async with pace.slot(0) as began:
            assert began == 12.0  # all wait as long as the server asked for

    asyncio.run(go())


def test_cost_is_unknown_or_right() -> None:
    price = Price(1.0, 4.0, per=1000, cached=0.5)
    assert cost_of(Tokens(100, 10), None) is None
    assert cost_of(Tokens(None, 10), price) is None
    assert cost_of(Tokens(100, 10, cached=40), price) == pytest.approx(0.06 + 0.02 + 0.04)


def test_what_shapes_an_answer_is_in_its_fingerprint_and_nothing_else() -> None:
    def mark(sample: int = 0, settings: dict[str, object] | None = None, **values: Any) -> str:
        tool = tool_from(TOOL | values, "test")
        return fingerprint(shape_of(tool, question(**(settings or {})), sample))

    same = mark()
    assert mark(tries=2, seconds=5, concurrency=1, rpm=3, api_key_env="X") == same
    assert mark(price={"input": 1, "output": 1}, stream=True) == same
    others = [
        mark(1),
        mark(temperature=0.5),
        mark(model="other"),
        mark(base_url="http://127.0.0.1:2/v1"),
        mark(stop=["x"]),
        mark(settings={"system": "Be brief."}),
        mark(via="completions"),
    ]
    assert len({same, *others}) == len(others) + 1


def test_a_torn_line_is_dropped_and_a_whole_one_kept(tmp_path: Path) -> None:
    path, tool = tmp_path / "a.jsonl", tool_from(TOOL, "test")
    with AnswerFile(path) as file:
        file.add([line(tool, 0), line(tool, 1)])
    whole = path.read_bytes()
    for cut in range(1, len(whole) - whole.index(b"\n") - 2, 97):
        path.write_bytes(whole[:-cut] if cut > 1 else whole[:-1])
        with AnswerFile(path) as file:
            assert len(file.answers) == (2 if cut == 1 else 1)
            file.add([line(tool, 2)])
        assert all(json.loads(text) for text in path.read_text().splitlines())


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    with (
        AnswerFile(tmp_path / "a.jsonl"),
        pytest.raises(PolyAssayError, match="Another process is writing"),
    ):
        AnswerFile(tmp_path / "a.jsonl")
    with AnswerFile(tmp_path / "a.jsonl"):
        pass


def test_a_file_of_other_answers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"task": "t", "answer": "x"}\n')
    with pytest.raises(PolyAssayError, match="line 1: is no answer that was asked for here"):
        AnswerFile(path)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"via": "opnai"}, "via that is known"),
        ({"api_key": "sk-very-secret"}, "must not have its key in a file"),
        ({"temprature": 1}, 'has no "temprature"'),
        ({"temperature": "hot"}, '"temperature" must be a number'),
        ({"model": ""}, 'needs "model"'),
        ({"base_url": "http://user:secret@host/v1"}, "no user, password"),
        ({"base_url": "ftp://host"}, "must begin with http"),
        ({"name": "a[b]"}, "name without brackets"),
        ({"price": {"input": 1}}, "a price has input and output"),
        ({"concurrency": 0}, "above zero"),
    ],
)
def test_bad_tools_are_told(values: dict[str, Any], told: str) -> None:
    with pytest.raises(PolyAssayError) as error:
        tool_from(TOOL | values, "study.toml, line 3")
    assert told in error.value.problem
    assert error.value.problem.startswith("study.toml, line 3")
    assert "secret" not in error.value.problem


def test_a_key_comes_from_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tool_from(TOOL | {"api_key_env": "NO_SUCH_KEY"}, "test")
    with pytest.raises(PolyAssayError, match="takes its key from NO_SUCH_KEY"):
        tool.key()
    monkeypatch.setenv("NO_SUCH_KEY", "sk-1")
    assert tool.key() == "sk-1"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-2")
    assert tool_from(TOOL, "test").key() == ""  # a server of one's own is not sent OpenAI's key


def test_a_commands_line_is_parted_as_a_shell_parts_it() -> None:
    @click.command()
    @model_options
    def shown(**values: object) -> None:
        click.echo(str(values["command"]))

    def printed(*arguments: str) -> str:
        return CliRunner().invoke(shown, arguments, catch_exceptions=False).output

    assert printed("--command", "ask 'a b' {prompt}") == "['ask', 'a b', '{prompt}']\n"
    assert printed() == "None\n"
    with pytest.raises(PolyAssayError, match="--command cannot be read"):
        printed("--command", "ask 'a")
