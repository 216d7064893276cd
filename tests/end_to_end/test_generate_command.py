"""Answers from a command: one process a prompt, never through a shell."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from made import make_task
from polyassay.errors import PolyAssayError
from polyassay.generate.asking import AskingBudget, Tally
from polyassay.generate.tools import tool_from
from polyassay.model import Suite
from polyassay.prompts import settings_from
from polyassay.study.answers import Questionnaire, ask
from polyassay.suites.registry import Registry

TASKS = tuple(make_task(name, entry="f", prompts={"en": f"Do {name}."}) for name in ("a", "b"))
SUITE = Suite("s", "1", "0" * 64, TASKS)


def run(tmp_path: Path, script: str, *arguments: str, **values: Any) -> tuple[Tally, list[Any]]:
    (tmp_path / "tool.py").write_text(script)
    command = [sys.executable, str(tmp_path / "tool.py"), *arguments]
    tool = tool_from({"name": "x", "via": "command", "command": command, **values}, "test")
    questionnaire = Questionnaire(
        tool, settings_from({"template": "chat"}), 2, tmp_path / "answers.jsonl"
    )
    console = Console(file=(tmp_path / "log.txt").open("a"))
    tally = ask(questionnaire, {"s": SUITE}, Registry(tmp_path), AskingBudget(), console)
    return tally, [json.loads(line) for line in questionnaire.path.open()]


def test_the_prompt_comes_by_standard_input_and_arguments_stay_whole(tmp_path: Path) -> None:
    script = "import sys\nprint(sys.argv[1:], sys.stdin.read())"
    odd = "$(touch owned); {task} {sample}"
    tally, lines = run(tmp_path, script, odd, "{language}")
    assert tally.answers == 4
    first = next(line for line in lines if (line["task"], line["sample"]) == ("b", 1))
    assert "['$(touch owned); b 1', 'python']" in first["answer"]
    assert "Do b." in first["answer"]
    assert not (tmp_path / "owned").exists()


def test_the_prompt_as_a_file(tmp_path: Path) -> None:
    script = "import sys\nprint(open(sys.argv[1]).read().upper())"
    _, lines = run(tmp_path, script, "{prompt_file}")
    assert all(f"DO {line['task'].upper()}." in line["answer"] for line in lines)


def test_json_in_and_json_out(tmp_path: Path) -> None:
    script = (
        "import json, sys\nasked = json.load(sys.stdin)\n"
        "print(json.dumps({'answer': asked['messages'][-1]['content'], 'cost': 0.5,"
        " 'tokens': {'input': 10, 'output': asked['sample']}, 'model': 'm', 'version': '2.1'}))"
    )
    tally, lines = run(tmp_path, script, json=True)
    assert tally.cost == 2.0
    origin = lines[0]["origin"]
    assert origin["tokens"]["input"] == 10
    assert origin["tokens"]["cached"] is None
    assert (origin["model"]["answered"], origin["version"]) == ("m", "2.1")
    assert "Do a." in lines[0]["answer"]


def test_a_failing_command_gives_no_answer(tmp_path: Path) -> None:
    script = (
        "import sys\nprint('half an answer')\n"
        "if sys.argv[1] == 'b':\n    print('no idea', file=sys.stderr); sys.exit(3)"
    )
    tally, lines = run(tmp_path, script, "{task}", concurrency=1)
    assert tally.answers == 2
    assert dict(tally.errors) == {f"{Path(sys.executable).name} ended with exit code 3: no idea": 2}
    assert {line["task"] for line in lines} == {"a"}
    again, lines = run(tmp_path, "print('fine')", "{task}", concurrency=1)
    assert again.answers == 2  # only what has no answer is asked again
    assert {line["task"] for line in lines} == {"a", "b"}


def test_a_command_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys, time\n"
        "if sys.argv[1] == 'a':\n"
        "    child = subprocess.Popen(['sleep', '600'])\n"
        f"    open({str(tmp_path / 'child')!r}, 'w').write(str(child.pid))\n"
        "    time.sleep(600)\n"
        "print('fine')"
    )
    tally, _ = run(tmp_path, script, "{task}", seconds=5, concurrency=1)
    assert tally.answers == 2
    assert list(tally.errors) == [f"{Path(sys.executable).name} took more than 5 s"]
    child = Path("/proc", (tmp_path / "child").read_text(), "stat")
    assert not child.exists() or ") Z " in child.read_text()


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    tool = {"name": "x", "via": "command", "command": ["no-such-program-anywhere"]}
    questionnaire = Questionnaire(
        tool_from(tool, "t"), settings_from({"template": "chat"}), 2, tmp_path / "a.jsonl"
    )
    console = Console(file=(tmp_path / "log.txt").open("a"))
    with pytest.raises(PolyAssayError, match="no-such-program-anywhere cannot be started"):
        ask(questionnaire, {"s": SUITE}, Registry(tmp_path), AskingBudget(), console)


def test_empty_answers_are_a_class_of_their_own(tmp_path: Path) -> None:
    tally, lines = run(tmp_path, "print('  ')")
    assert dict(tally.finishes) == {"empty": 4}
    assert [line["origin"]["finish"] for line in lines] == ["empty"] * 4


def test_versions_are_recorded(tmp_path: Path) -> None:
    ask_version = [sys.executable, "-c", "print('tool 3.4')"]
    _, lines = run(tmp_path, "print('x')", version_command=ask_version)
    assert {line["origin"]["version"] for line in lines} == {"tool 3.4"}
