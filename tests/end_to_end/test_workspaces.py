"""Agents in workspaces: what they write is harvested, how they end is noted and not believed."""

import json
import os
import time
from pathlib import Path

import pytest

import agents
from polyassay.collect import manifest, records
from polyassay.collect.agents import Agent, agent_of, preset, presets
from polyassay.collect.fill import Editor, Filler
from polyassay.collect.project import Wanted, lay_out
from polyassay.collect.records import WorkspaceRecord
from polyassay.collect.state import status
from polyassay.collect.usage import UsageReader
from polyassay.collect.workspace import CommandEditor
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test
from real_parts import need_package

SUITE = Suite(
    "s",
    "1",
    "sum",
    tuple(
        Task(
            *(f"p{n}", "s", Language.PYTHON, Style.FUNCTION),
            {"en": "Clamp x."},
            (Test("test_0", "assert clamp(5, 0, 3) == 3"),),
            entry="clamp",
            signature="def clamp(x, low, high)",
        )
        for n in range(4)
    ),
)
ANSWERS = {"p0": "def clamp(x, low, high):\n    return 0\n", "p1": "x = 1\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay_out(tmp_path / "mine", Wanted({"s": SUITE}, "finch", 1, 0))
    return tmp_path / "mine"


def fill(
    folder: Path, editor: Editor, jobs: int = 1, again: bool = False
) -> dict[str, WorkspaceRecord]:
    filler = Filler(folder, manifest.read(folder), {"s": SUITE}, editor)
    told: list[WorkspaceRecord] = []
    filler.fill_all(filler.pending(again), jobs, told.append)
    return {record.task: record for record in told}


def editing(tmp_path: Path, exit_code: int = 0) -> Agent:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(ANSWERS))
    start = agents.script(tmp_path, "edits", agents.EDITS)
    usage = UsageReader({"type": "usage"}, {"input": "usage.in", "output": "usage.out"})
    words = [*start, "{prompt_file}", str(answers), "{task}", str(exit_code)]
    return agent_of(words, seconds=60, usage=usage)


def test_stubs_are_harvested_and_nothing_else(tmp_path: Path, folder: Path) -> None:
    done = fill(folder, CommandEditor(editing(tmp_path), version="1.2"), jobs=2)
    assert {task: record.edited for task, record in done.items()} == {
        "p0": True,
        "p1": True,
        "p2": False,
        "p3": False,
    }
    assert done["p0"].added == ("test_extra.py",)
    assert done["p0"].tokens == {"input": 120, "output": 10, "cached": None, "reasoning": None}
    assert (done["p0"].cost, done["p0"].tool_version) == (None, "1.2")
    found = status(folder, manifest.read(folder))
    texts = {one.item.task: one.answers[""] for one in found.found if one.answers}
    assert texts == ANSWERS
    assert found.added == ()  # the test that the agent left is nowhere
    printed = folder / done["p0"].output / "stdout"
    assert [json.loads(line)["usage"]["in"] for line in printed.open()] == [100, 20]
    # What was left untouched is an answer too, and is not asked for again by itself.
    assert fill(folder, CommandEditor(editing(tmp_path))) == {}
    assert set(fill(folder, CommandEditor(editing(tmp_path)), again=True)) == {"p2", "p3"}


def test_an_exit_code_is_noted_and_not_believed(tmp_path: Path, folder: Path) -> None:
    done = fill(folder, CommandEditor(editing(tmp_path, exit_code=3)))
    assert {record.exit_code for record in done.values()} == {3}
    assert status(folder, manifest.read(folder)).counts["filled"] == 2
    kept = records.read(folder)
    assert kept["s", "p0", 0] == done["p0"]
    with (folder / records.NAME).open("a") as file:
        file.write('{"suite": "s", "ta')  # a kill cut it off
    assert records.read(folder) == kept


def test_time_is_limited_and_nothing_outlives_it(tmp_path: Path, folder: Path) -> None:
    pid = tmp_path / "pid"
    start = agents.script(tmp_path, "hangs", agents.HANGS)
    filler = Filler(
        folder,
        manifest.read(folder),
        {"s": SUITE},
        CommandEditor(agent_of([*start, str(pid)], seconds=3)),
    )
    told: list[WorkspaceRecord] = []
    filler.fill_all(filler.pending()[:1], 1, told.append)
    assert told[0].timed_out
    assert told[0].edited  # what it had written by then is there
    assert told[0].problem == "it took longer than 3 seconds"
    for _ in range(100):
        if not Path(f"/proc/{pid.read_text()}").exists() or _is_zombie(pid.read_text()):
            break
        time.sleep(0.05)
    else:
        pytest.fail("the agent's child goes on")


def _is_zombie(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_each_workspace_is_fresh_and_goes(tmp_path: Path, folder: Path) -> None:
    places = tmp_path / "places"
    source = f"""
    import os
    with open({str(places)!r}, "a") as file:
        print(os.getcwd(), sorted(os.listdir(".")), file=file)
    """
    fill(folder, CommandEditor(agent_of(agents.script(tmp_path, "looks", source), seconds=60)))
    lines = places.read_text().splitlines()
    assert len({line.split()[0] for line in lines}) == 4
    assert all(line.endswith("['PROMPT.md', 'clamp.py']") for line in lines)
    assert not [line for line in lines if os.path.exists(line.split()[0])]  # noqa: PTH110


def test_an_agent_that_is_not_there(folder: Path) -> None:
    with pytest.raises(PolyAssayError, match="no-such-agent cannot be started"):
        fill(folder, CommandEditor(agent_of("no-such-agent {prompt_file}")))


def test_acp_edits_stay_in_the_workspace(tmp_path: Path, folder: Path) -> None:
    need_package("acp", "agent-client-protocol, the extra acp")
    from polyassay.collect.acp_client import AcpEditor

    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    start = agents.script(tmp_path, "curious", agents.ACP)
    editor = AcpEditor(agent_of([*start, str(outside)], seconds=120))
    done = fill(folder, editor)
    assert editor.version == "1.2.3"
    record = done["p0"]
    assert (record.via, record.problem, record.edited) == ("acp", "", True)
    assert record.tokens["input"] == 20
    said = (folder / record.output / "stdout").read_text()
    assert "DONE" not in said
    for what in ("read outside", "read above", "read link", "write outside", "write link"):
        assert f"{what}: refused" in said
    assert "read nothing: refused" in said
    assert "secret: no" in said
    assert "clamp.py: yes" in said
    assert len(record.refused) == 7  # two reads and two writes by path or link, .., two leaves
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"secret": "secret"}
    found = status(folder, manifest.read(folder))
    assert found.counts["filled"] == 4
    assert "return max(low, min(x, high))" in next(iter(found.found[0].answers.values()))


def test_an_acp_agent_that_breaks_off(tmp_path: Path, folder: Path) -> None:
    need_package("acp", "agent-client-protocol, the extra acp")
    from polyassay.collect.acp_client import AcpEditor

    start = agents.script(tmp_path, "ends", "import sys; sys.exit(4)")
    done = fill(folder, AcpEditor(agent_of(start, seconds=60)))
    assert {record.exit_code for record in done.values()} == {4}
    assert not any(record.edited for record in done.values())
    assert all(record.problem.startswith("it broke off") for record in done.values())


def test_presets_are_whole() -> None:
    names = {"aider", "claude", "codex", "copilot", "cursor-agent", "opencode"}
    assert set(presets()) == names
    assert [name for name, agent in presets().items() if agent.tried] == ["aider"]
    for agent in presets().values():
        assert agent.about
        assert agent.version_command
        text = " ".join(agent.command)
        assert "{prompt}" in text or "{prompt_file}" in text
    values = {"prompt_file": "P", "model": "m"}
    assert preset("aider").words(values, ["a.py", "b.py"])[:5] == [
        *("aider", "--model", "m", "--message-file", "P")
    ]
    without = preset("aider").words({"prompt_file": "P", "model": ""}, ["a.py", "b.py"])
    assert without[:3] == ["aider", "--message-file", "P"]
    assert without[-2:] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("name", "printed", "expected"),
    [
        (
            "aider",
            "Tokens: 2.1k sent, 345 received. Cost: $0.0021 message, $0.01 session.\n"
            "Tokens: 900 sent, 5 received.\n",
            (3000, 350, None, None, 0.0021),
        ),
        (
            "claude",
            '{"type": "assistant", "usage": {"input_tokens": 9}}\nnoise\n'
            '{"type": "result", "total_cost_usd": 0.5, "usage": {"input_tokens": 100, '
            '"output_tokens": 20, "cache_read_input_tokens": 7}}\n',
            (100, 20, 7, None, 0.5),
        ),
        (
            "codex",
            '{"type": "turn.completed", "usage": {"input_tokens": 1, "cached_input_tokens": 2, '
            '"output_tokens": 3}}\n' * 2,
            (2, 6, 4, None, None),
        ),
        (
            "opencode",
            '{"type": "step_finish", "part": {"tokens": {"input": 5, "output": 6, "reasoning": 0, '
            '"cache": {"read": 1}}, "cost": 0.25}}\n' * 2,
            (10, 12, 2, 0, 0.5),
        ),
        ("copilot", "Usage: 12k in, 3k out\n", (None, None, None, None, None)),
        ("claude", "{broken\n", (None, None, None, None, None)),
    ],
)
def test_tokens_are_read_as_each_agent_prints_them(
    name: str, printed: str, expected: tuple[float | None, ...]
) -> None:
    found = preset(name).usage.read(printed)
    assert (*found.tokens.values(), found.cost) == expected


@pytest.mark.parametrize(
    ("command", "problem"),
    [("x {promt_file}", "names {promt_file}"), ("x 'y", "cannot be read"), ("", "is empty")],
)
def test_bad_commands(command: str, problem: str) -> None:
    with pytest.raises(PolyAssayError, match=problem):
        agent_of(command)
