"""tools/way: the way of a candidate, through all of its processes."""

import json
import subprocess
from typing import Any

import pytest

from scripts import TOOLS


def way(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [str(TOOLS / "way"), *arguments, "--json"],
        check=True,
        stdout=subprocess.PIPE,
        timeout=600,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.usefixtures("sandbox")
def test_a_python_candidate_is_followed_through_all_its_processes() -> None:
    found = way("rotate-ring")
    processes = [step["process"] for step in found["steps"]]
    assert processes[0] == processes[-1] == "runner"
    assert "answer reader" in processes
    assert any(process.endswith("fork") for process in processes)
    assert found["calls"] == sum(found["by_process"].values())
    assert found["calls"] > found["hops"] > 20
    modules = [
        {step[end].partition(":")[0] for end in ("caller", "callee")} for step in found["steps"]
    ]
    assert all(len(pair) == 2 for pair in modules)


@pytest.mark.usefixtures("sandbox")
def test_of_a_jvm_the_messages_are_told() -> None:
    found = way("pad-left")
    guests = {step["callee"] for step in found["steps"] if step["kind"] == "message"}
    assert {"the compile service"} < guests


def test_an_unknown_task_is_told_with_those_that_are_known() -> None:
    done = subprocess.run(
        [str(TOOLS / "way"), "no-such-task"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pad-left" in done.stderr
