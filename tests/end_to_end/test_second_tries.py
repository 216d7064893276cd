"""A tool that mends its answers when it sees the tests' output, through generate and run."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from command_line import write_jsonl
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError

TOOL = """import json, sys
asked = json.load(sys.stdin)
told = asked["messages"][-1]["content"]
mends = "test_0 failed" in told and asked["task"] == "mended"
value = 3 if mends or asked["task"] == "right" else 4
print(json.dumps({"answer": f"def three():\\n    return {value}\\n"}))
"""


def said(*arguments: str, exit_code: int = 0) -> Any:
    """What a command, in this process, prints as JSON."""
    found = CliRunner().invoke(polyassay, [*arguments, "--json"])
    assert found.exit_code == exit_code, found.output
    return json.loads(found.stdout) if found.stdout else found.stderr


def test_a_second_try_is_a_tool_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    task = {
        "language": "python",
        "style": "function",
        "entry": "three",
        "prompts": {"en": "Three."},
        "tests": [{"code": "assert three() == 3, 'not three'"}],
    }
    rows = [task | {"id": name} for name in ("right", "mended", "wrong")]
    write_jsonl(tmp_path / "mine.jsonl", rows)
    said("suites", "add", "native", "--from", "mine.jsonl")
    (tmp_path / "tool.py").write_text(TOOL)
    asking = [*("generate", "-s", "mine", "--via", "command", "--json-prompt")]
    asking += ["--command", f"{sys.executable} tool.py"]
    assert said(*asking, "--tool", "x", "-o", "first.jsonl")["answered"] == 3
    said("run", "-s", "mine", "-c", "first.jsonl")
    again = (*asking, "--second-try", "latest")
    for answered in (2, 0):  # the second time there is nothing left to ask
        told = said(*again, "--tool", "x", "-o", "again.jsonl")
        assert (told["tool"], told["answered"]) == ("x[tries:2]", answered)
    tools = said("run", "-s", "mine", "-c", "first.jsonl", "-c", "again.jsonl")["tools"]
    assert {name: found["passed_tasks"] for name, found in tools.items()} == {
        "x": 1,
        "x[tries:2]": 2,
    }
    with pytest.raises(PolyAssayError, match='no answers of "y"'):
        CliRunner().invoke(
            polyassay, [*again, "--tool", "y", "-o", "y.jsonl"], catch_exceptions=False
        )
