"""tools/way: the way of a candidate, through all of its processes."""

import json
import re
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


def module_of(place: str) -> str:
    return place.partition(":")[0]


def hops_told(task: str) -> int:
    """How many docs/benchmarks.md says there are now."""
    text = (TOOLS.parent / "docs" / "benchmarks.md").read_text("utf-8")
    (now,) = re.findall(rf"\(`{task}`\) \| \d+ \| (\d+) \|", text)
    return int(now)


def untold(found: dict[str, Any]) -> list[str]:
    """The files on the way that ARCHITECTURE.md does not name."""
    text = (TOOLS.parent / "ARCHITECTURE.md").read_text("utf-8")
    hops = [step for step in found["steps"] if step["kind"] == "call"]
    paths = set()
    for step in hops:
        module = module_of(step["callee"])
        if step["process"] not in ("runner", "slot", "answer reader"):
            module = module.removeprefix("harness.")  # the Python harness, which runs in guests
        paths.add("store/" if module == "store" else module.replace(".", "/") + ".py")
    return sorted(path for path in paths if f"`{path}`" not in text)


@pytest.mark.usefixtures("sandbox")
def test_a_python_candidate_is_followed_through_all_its_processes() -> None:
    found = way("rotate-ring")
    processes = [step["process"] for step in found["steps"]]
    assert processes[0] == processes[-1] == "runner"
    assert "answer reader" in processes
    assert any(process.endswith("fork") for process in processes)
    assert 15 < found["hops"] == sum(found["by_process"].values()) <= hops_told("rotate-ring")
    modules = [tuple(map(module_of, (step["caller"], step["callee"]))) for step in found["steps"]]
    assert all(caller != callee for caller, callee in modules)
    assert untold(found) == []


@pytest.mark.usefixtures("sandbox")
def test_of_a_jvm_the_messages_are_told() -> None:
    found = way("pad-left")
    guests = {step["callee"] for step in found["steps"] if step["kind"] == "message"}
    assert {"the compile service"} < guests
    assert found["hops"] <= hops_told("pad-left")
    assert untold(found) == []


def test_an_unknown_task_is_told_with_those_that_are_known() -> None:
    done = subprocess.run(
        [str(TOOLS / "way"), "no-such-task"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pad-left" in done.stderr
