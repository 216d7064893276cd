"""tools/hostile itself: it must see what goes wrong, and be content with what does not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from end_to_end.boxes import ROOT
from polyassay.sandbox.choose import find
from real_parts import given

TASK = {
    "id": "half",
    "language": "python",
    "style": "function",
    "entry": "half",
    "prompt": "Halve an even number.",
    "tests": [
        {"id": "t1", "code": "assert half(4) == 2"},
        {"id": "t2", "code": "assert half(0) == 0"},
    ],
    "timeout_s": 5,
    "memory_mb": 256,
}
RIGHT = "def half(n):\n    return n // 2\n"
EXITS = "import os\ndef half(n):\n    os._exit(0)\n"
SHOUTS = "import sys\ndef half(n):\n    raise ValueError('caught you')\n"
NEXT = {"probe": "next_passes"}


def record(name: str, kind: str, candidate: str, accept: list[str], most: int, *probes) -> dict:
    expect = {"verdict": accept[0], "accept": accept, "max_passed": most, "invariant": name}
    expect["probes"] = [NEXT, *probes]
    fields = {"id": name, "language": "python", "kind": kind, "task": TASK}
    return fields | {"candidate": candidate, "expect": expect}


CONTROL = record("half-right", "honest", RIGHT, ["pass"], 2)
CONTROL["expect"]["tests"] = {"t1": "pass", "t2": "pass"}


@pytest.fixture(scope="module", autouse=True)
def _sandbox():
    with given("bubblewrap"):
        find("bubblewrap")


def hostile(
    tmp_path: Path, *records: dict, sandbox: str = "auto"
) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in records))
    paths = os.pathsep.join([str(ROOT / "runner"), str(ROOT / "python-harness")])
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "hostile", file, "--sandbox", sandbox],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
        check=False,
    )


def test_a_trick_that_fails_is_as_it_should_be(tmp_path):
    quiet = {"probe": "output_lacks", "text": "never printed"}
    trick = record("leaves", "forge", EXITS, ["error", "fail"], 0, quiet, {"probe": "port_quiet"})
    done = hostile(tmp_path, CONTROL, trick)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "1 of 1 hostile records as they should be, 0 passed; 1 of 1 controls exact" in done.stdout
    )


def test_violations_are_seen(tmp_path):
    solves = record("solves", "forge", RIGHT, ["fail"], 0)
    loud = {"probe": "output_lacks", "text": "caught you"}
    done = hostile(tmp_path, CONTROL, solves, record("shouts", "escape", SHOUTS, ["fail"], 0, loud))
    assert done.returncode == 1
    rows = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    assert rows["half-right"].endswith("ok")
    assert "verdict passed" in rows["solves"] and "2 tests passed, at most 0 may" in rows["solves"]
    assert "output_lacks caught you" in rows["shouts"]
