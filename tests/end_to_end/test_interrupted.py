"""A run that is asked to end says how to go on with it, by Ctrl-C and by SIGTERM alike."""

import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from command_line import PolyAssay, command, environment, write_jsonl

TASK = {
    "id": "wait",
    "language": "python",
    "style": "function",
    "entry": "wait",
    "tests": [{"name": "test_0", "code": "assert wait() is None"}],
    "prompts": {"en": "Wait"},
}
LOOPS = "def wait():\n    while True: pass\n"


def judges(pid: int) -> bool:
    """Whether the run has started a slot."""
    below = psutil.Process(pid).children()
    return any("slot_process" in part for child in below for part in child.cmdline())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_says_how_to_go_on(
    polyassay: PolyAssay, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", [TASK])
    write_jsonl(tmp_path / "answers.jsonl", [{"task": "wait", "answer": LOOPS}])
    added = polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")
    assert added.returncode == 0, added.stderr
    start = command("run", "-s", "s", "-c", "answers.jsonl", "-j", "1", "--timeout", "600")
    run = subprocess.Popen(
        start, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    while run.poll() is None and not judges(run.pid):
        time.sleep(0.1)
    run.send_signal(number)
    _, said = run.communicate(timeout=60)
    assert run.returncode == code, said
    found = re.search(r"Interrupted\. Go on with:  polyassay run --resume (\w+)\n", said)
    assert found, said
    assert "Traceback" not in said
    assert polyassay("show", found[1]).returncode == 0  # the run that it names is there
