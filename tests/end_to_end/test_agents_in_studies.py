"""Agents that edit files, asked as a study asks: through a workspace, or the protocol."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import agents
from command_line import PolyAssay
from model_server import KEY, model_server
from polyassay.collect.clients import WorkspaceClient
from polyassay.errors import PolyAssayError
from polyassay.generate.asking import AskingBudget, Tally
from polyassay.generate.replies import Question
from polyassay.generate.tools import Tool, tool_from
from polyassay.model import Language, Style, Suite, Task, Test
from polyassay.prompts import render, settings_from
from polyassay.study.answers import Questionnaire, ask
from polyassay.suites.registry import Registry
from real_parts import need_package

RIGHT = "def clamp(x, low, high):\n    return max(low, min(x, high))\n"
WRONG = "def clamp(x, low, high):\n    return x\n"


def clamp(name: str, **fields: Any) -> Task:
    return Task(
        *(name, "clamps", Language.PYTHON, Style.FUNCTION),
        {"en": "Clamp x."},
        (Test("test_0", "assert clamp(5, 0, 3) == 3"),),
        entry="clamp",
        signature="def clamp(x, low, high)",
        **fields,
    )


SUITE = Suite("clamps", "1", "0" * 64, (clamp("p0"), clamp("p1"), clamp("p2")))


def asked(tmp_path: Path, suite: Suite = SUITE, **values: Any) -> tuple[Tally, list[Any]]:
    tool = tool_from({"name": "agent", **values}, "test")
    questionnaire = Questionnaire(
        tool, settings_from({"template": tool.template}), 1, tmp_path / "agent.jsonl"
    )
    with (tmp_path / "log.txt").open("a") as log:
        console = Console(file=log)
        tally = ask(questionnaire, {suite.name: suite}, Registry(tmp_path), AskingBudget(), console)
    return tally, [json.loads(line) for line in questionnaire.path.open()]


def editing(tmp_path: Path, answers: dict[str, str], exit_code: int = 0) -> list[str]:
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    start = agents.script(tmp_path, "edits", agents.EDITS)
    return [*start, "{prompt_file}", str(tmp_path / "answers.json"), "{task}", str(exit_code)]


def test_a_workspace_gives_what_was_written(tmp_path: Path) -> None:
    command = editing(tmp_path, {"p0": RIGHT, "p1": WRONG}, exit_code=1)
    tally, rows = asked(tmp_path, via="workspace", command=command, version="7")
    found = {row["task"]: row for row in rows}
    assert {task: row["answer"] for task, row in found.items()} == {
        "p0": RIGHT,
        "p1": WRONG,
        "p2": "",
    }
    assert tally.finishes == {"complete": 2, "empty": 1}
    origin = found["p0"]["origin"]
    assert (origin["via"], origin["version"], origin["exit_code"]) == ("workspace", "7", 1)
    assert origin["added"] == ["test_extra.py"]
    assert origin["raw"]["stderr"] == "some text\n"
    assert found["p2"]["origin"]["finish_reason"] == "no stub was edited"
    again, rows = asked(tmp_path, via="workspace", command=command, version="7")
    assert (again.answers, len(rows)) == (0, 3)  # nothing is asked twice


def test_several_files_of_a_workspace(tmp_path: Path) -> None:
    task = clamp("p0", solution={"a.py": "A = 0\n", "b.py": "B = 0\n"})
    suite = Suite("clamps", "1", "0" * 64, (task,))
    source = (
        "import pathlib; pathlib.Path('b.py').write_text('B = 1\\n'); "
        "[pathlib.Path(name).write_text('C = 1\\n') for name in ('c.py', 'test_c.py', 'json.py')]"
    )
    command = agents.script(tmp_path, "writes", source)
    _, rows = asked(tmp_path, suite, via="workspace", command=command)
    assert rows[0]["files"] == {"a.py": "A = 0\n", "b.py": "B = 1\n", "c.py": "C = 1\n"}


def test_an_agent_behind_the_protocol(tmp_path: Path) -> None:
    need_package("acp", "agent-client-protocol, the extra acp")
    start = agents.script(tmp_path, "curious", agents.ACP)
    _, rows = asked(tmp_path, via="acp", command=[*start, str(tmp_path)], concurrency=1)
    assert {row["answer"] for row in rows} == {RIGHT}
    assert {row["origin"]["version"] for row in rows} == {"1.2.3"}
    assert all(len(row["origin"]["refused"]) == 7 for row in rows)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"via": "workspace"}, "needs a command or a preset"),
        ({"via": "workspace", "command": ["x"], "preset": "aider"}, "and not both"),
        ({"via": "workspace", "preset": "aidr"}, 'no preset "aidr"'),
        ({"via": "workspace", "command": ["no-such-agent"]}, "no-such-agent cannot be started"),
    ],
)
def test_bad_agents_are_told(tmp_path: Path, values: dict[str, Any], problem: str) -> None:
    with pytest.raises(PolyAssayError, match=problem):
        asked(tmp_path, **values)


def test_breaking_off_ends_the_agent(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    start = agents.script(tmp_path, "hangs", agents.HANGS)
    values = {"name": "a", "via": "workspace", "command": [*start, str(pid)], "seconds": 600}
    asyncio.run(_broken_off(tool_from(values, "test"), pid))
    for _ in range(200):
        if not Path(f"/proc/{pid.read_text()}/exe").exists():
            return
        time.sleep(0.05)
    pytest.fail("the agent's child goes on")


async def _broken_off(tool: Tool, pid: Path) -> None:
    client = WorkspaceClient(tool)
    prompt = render(SUITE.tasks[0], settings_from({"template": tool.template}))
    asking = asyncio.create_task(client.ask(Question(SUITE.tasks[0], prompt, "en", (0,))))
    while not pid.exists() or not pid.read_text():
        await asyncio.sleep(0.05)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_an_agent_that_asks_a_real_model_is_judged(polyassay: PolyAssay, tmp_path: Path) -> None:
    tasks = [
        {
            "id": name,
            "language": "python",
            "style": "function",
            "entry": "clamp",
            "prompts": {"en": "Clamp x."},
            "signature": "def clamp(x, low, high)",
            "tests": [{"code": "assert clamp(5, 0, 3) == 3"}],
        }
        for name in ("p0", "p1")
    ]
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "clamps")
    (tmp_path / "wanted.json").write_text(json.dumps({"p0": RIGHT, "p1": WRONG}))
    start = agents.script(tmp_path, "asks", agents.ASKS_A_MODEL)
    command = agents.command(*start, "{prompt_file}", tmp_path / "wanted.json", "{task}")
    said = polyassay("collect", "new", "mine", "-s", "clamps", "--tool", "agent")
    assert said.returncode == 0, said.stderr
    with model_server(tmp_path, "--slots", "1") as port:
        more = {"MODEL_URL": f"http://127.0.0.1:{port}/v1", "MODEL_KEY": KEY}
        said = polyassay("collect", "run", "mine", "--command", command, "--json", **more)
    assert json.loads(said.stdout)["edited"] == 2, said.stderr
    polyassay("collect", "take", "mine", "-o", "agent.jsonl", "--model", "tiny-random")
    judged = polyassay("run", "-s", "clamps", "-c", "agent.jsonl", "--json", "-j", "1")
    tool = json.loads(judged.stdout)["tools"]["agent"]
    assert (tool["outcomes"]["passed"], tool["outcomes"]["failed"]) == (1, 1)
    kept = (tmp_path / "agent.jsonl").read_text() + (tmp_path / "mine/runs.jsonl").read_text()
    assert KEY not in kept
