"""Each of few tests finds the program as it was loaded, and nothing of the others."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.boxes import ask, function_request
from polyassay.environments.interpreters import Interpreter
from polyassay.harness.python import requests
from polyassay.harness.python.zygote import Zygote
from polyassay.sandbox.bubblewrap import Bubblewrap

PYTHON = Path(sys.executable).resolve()
COUNTER = """
count = 0
def answer():
    global count
    count += 1
    return count
"""
ONCE = "assert answer() == 1"


@pytest.fixture(scope="module")
def zygote(sandbox: Bubblewrap) -> Iterator[Zygote]:
    interpreter = Interpreter(PYTHON, (PYTHON.parent.parent,), "", "")
    opened = Zygote(sandbox, interpreter)
    yield opened
    opened.close()


def judge(zygote: Zygote, source: str, *tests: str, **more) -> list[str]:
    """The tests' statuses."""
    reply = ask(zygote, {**function_request(source, "answer", list(tests)), **more})
    assert [result["name"] for result in reply["results"]] == [str(n) for n in range(len(tests))]
    return [result["status"] for result in reply["results"]]


def test_each_test_finds_the_program_as_it_was_loaded(zygote: Zygote) -> None:
    assert judge(zygote, COUNTER, ONCE, ONCE, ONCE, ONCE) == ["passed"] * 4
    assert judge(zygote, COUNTER, ONCE) == ["passed"]


def test_one_that_breaks_off_takes_no_other_with_it(zygote: Zygote) -> None:
    leaves = "import os; os._exit(0)"
    found = judge(zygote, COUNTER, ONCE, leaves, ONCE)
    assert found == ["passed", "crashed", "passed"]
    assert judge(zygote, COUNTER, ONCE, leaves) == ["passed", "crashed"]
    found = judge(zygote, COUNTER, "import os; os._exit(3)", ONCE, "import os; os._exit(3)")
    assert found == ["crashed", "passed", "crashed"]
    stops = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    assert judge(zygote, COUNTER, stops, ONCE) == ["crashed", "passed"]


@pytest.mark.parametrize("tests", [1, 6])  # in processes of the zygote's own, or a supervisor's
@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 1e300])
def test_limits_that_cannot_be_set_are_no_candidates_fault(
    zygote: Zygote, seconds: float, tests: int
) -> None:
    reply = ask(zygote, function_request(COUNTER, "answer", [ONCE] * tests, seconds=seconds))
    assert reply == {"failed": f"no process can be given {seconds} as its seconds"}
    assert judge(zygote, COUNTER, ONCE) == ["passed"]


def test_what_a_failed_comparison_printed_is_not_printed_twice(zygote: Zygote) -> None:
    request = function_request(
        "def answer():\n    print('here')\n", "answer", ["assert answer() == 1"]
    )
    reply = ask(zygote, request)
    assert reply["results"][0]["message"] == "expected 1 but was None"
    assert reply["output"] == "here\n"


def test_one_that_ends_its_parent_takes_no_other_with_it(zygote: Zygote) -> None:
    ends = "import os, signal; os.kill(1, signal.SIGTERM); import time; time.sleep(5)"
    found = judge(zygote, COUNTER, ends, ONCE, ONCE)
    assert found == ["crashed", "passed", "passed"]


def test_signals_to_its_group_reach_no_other_test(zygote: Zygote) -> None:
    interrupts = """
import os, signal, time
try:
    os.kill(0, signal.SIGINT)
    time.sleep(5)
    assert False
except KeyboardInterrupt:
    pass
"""
    found = judge(zygote, COUNTER, interrupts, ONCE, interrupts)
    assert found == ["passed"] * 3


@pytest.mark.parametrize("waits", ["if pid: os.waitpid(pid, 0)", "pass"])
def test_a_test_that_speaks_twice_speaks_for_itself(zygote: Zygote, waits: str) -> None:
    """Its fork goes on with the test, and tells what came of it, too."""
    forks = f"import os\npid = os.fork()\n{waits}\nassert answer() == 1"
    for _ in range(20):
        statuses = judge(zygote, COUNTER, forks, ONCE, "assert 0", ONCE)
        assert statuses == ["passed", "passed", "failed", "passed"]


@pytest.mark.parametrize(
    "leaves",
    [
        "open('x', 'w').close()",
        "open('/scratch/x', 'w').close()",
        "open('/tmp/x', 'w').close()",
        "open('/dev/shm/x', 'w').close()",
        "import os; os.chmod('.', 0o500)",
        "import os; os.rmdir('/scratch/work')",
        "import subprocess; subprocess.Popen(['sleep', '60'])",
    ],
)
def test_traces_are_not_for_the_next_test(zygote: Zygote, leaves: str) -> None:
    looks = """
import os
places = ("/scratch/work", "/tmp", "/dev/shm")
assert os.listdir("/scratch") == ["work"] and not any(map(os.listdir, places))
assert [name for name in os.listdir("/proc") if name.isdigit()] in (["1"], ["1", str(os.getpid())])
open("/scratch/work/y", "w").close()
os.remove("/scratch/work/y")
"""
    found = judge(zygote, COUNTER, looks, leaves, looks, looks)
    assert found == ["passed"] * 4


@pytest.mark.parametrize(
    ("at_load", "test"),
    [
        ("passwd = open('/etc/passwd')", "assert answer.passwd.readline()[:5] == 'root:'"),
        ("import mmap; seen = mmap.mmap(-1, 9)", "answer.seen[0] += 1\nassert answer.seen[0] == 1"),
        (
            "from threading import *\nThread(target=Event().wait, daemon=True).start()",
            "assert answer.active_count() == 2",
        ),
        ("import signal; signal.alarm(900)", "assert answer.signal.alarm(0) > 0"),
        (
            "import signal; ends = []; signal.signal(signal.SIGCHLD, lambda *a: ends.append(1))",
            "assert answer.ends == []",
        ),
        ("import os; pid = os.getpid()", "import os\nassert answer.pid == os.getpid()"),
        ("import os\nclass Odd:\n    pid = os.getpid()", "assert answer.Odd.pid == 1"),
        ("import os\ndef other(pid=os.getpid()): return pid", "assert answer.other() == 1"),
    ],
)
def test_what_loading_does_is_shared_with_no_other_test(
    zygote: Zygote, at_load: str, test: str
) -> None:
    test = f"import answer\n{test}"
    found = judge(zygote, f"{at_load}\n{COUNTER}", test, test, test)
    assert found == ["passed"] * 3


def test_setup_that_does_more_than_define_is_run_for_each_test(zygote: Zygote) -> None:
    test = "import os\nassert pid == os.getpid()"
    setup = "import os\npid = os.getpid()"
    assert judge(zygote, COUNTER, test, test, setup=setup) == ["passed"] * 2


def test_randomness_differs(zygote: Zygote) -> None:
    draws = "import random\nprint(random.random())"
    output = ask(zygote, function_request(COUNTER, "answer", [draws] * 4))["output"]
    assert len({line for line in output.splitlines() if line.startswith("0.")}) == 4


def test_files_and_ports_of_a_task_are_fresh_for_each_test(zygote: Zygote) -> None:
    appends = "with open('data', 'a+') as f: f.seek(0); assert f.read() == 'x'; f.write('y')"
    found = judge(zygote, COUNTER, appends, appends, files={"data": "eA=="})
    assert found == ["passed"] * 2
    listens = "import socket\nsocket.create_server(('127.0.0.1', 8765), reuse_port=False).close()"
    assert judge(zygote, COUNTER, listens, listens) == ["passed"] * 2


@pytest.mark.parametrize("few", [4, 0], ids=["fork_per_test", "supervised"])
def test_a_program_may_leave_its_children_to_the_kernel(
    zygote: Zygote, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_FEW_TESTS", few)
    ignores = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    statuses = judge(zygote, f"{ignores}\n{COUNTER}", ONCE, "assert 0", ONCE)
    assert statuses == ["passed", "failed", "passed"]


@pytest.mark.parametrize("few", [4, 0], ids=["fork_per_test", "supervised"])
def test_a_program_that_does_not_load_is_loaded_once(
    zygote: Zygote, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_FEW_TESTS", few)
    request = function_request("print('loads')\n1 / 0", "answer", [ONCE] * 4)
    reply = ask(zygote, request)
    assert (reply["ending"], reply["results"]) == ("unbuilt", [])
    assert reply["output"].count("loads") == 1


def test_time_is_limited_for_each_test_and_for_all(zygote: Zygote) -> None:
    limits = {"seconds": 1, "total_seconds": 20, "memory_mb": 256}
    loops = "while True: pass"
    found = judge(zygote, COUNTER, loops, ONCE, loops, limits=limits)
    assert found == ["timed_out", "passed", "timed_out"]
    limits = {"seconds": 5, "total_seconds": 3, "memory_mb": 256}
    sleeps = "import time; time.sleep(60)"
    found = judge(zygote, COUNTER, ONCE, sleeps, ONCE, limits=limits)
    assert found == ["passed", "timed_out", "not_run"]
