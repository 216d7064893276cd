"""Candidates with few tests load once, unless that would let one test see another's traces."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from end_to_end.boxes import function_request
from polyassay.environments import Installed, Interpreter
from polyassay.harness.python_zygote import Zygote
from polyassay.sandbox.bubblewrap import Bubblewrap

PYTHON = Path(sys.executable).resolve()
COUNTER = """
print("loaded", flush=True)
count = 0
def answer():
    global count
    count += 1
    return count
"""
ONCE = "assert answer() == 1"


@pytest.fixture(scope="module")
def zygote(sandbox: Bubblewrap) -> Iterator[Zygote]:
    interpreter = Interpreter(PYTHON, (PYTHON.parent.parent,), frozenset(), Installed)
    opened = Zygote(sandbox, interpreter)
    yield opened
    opened.close()


def judge(zygote: Zygote, source: str, *tests: str, **more) -> tuple[list[str], int]:
    """The tests' statuses, and how often the program was loaded."""
    reply = zygote.ask({**function_request(source, "answer", list(tests)), **more}, 30)
    assert [result["name"] for result in reply["results"]] == [str(n) for n in range(len(tests))]
    return [result["status"] for result in reply["results"]], reply["output"].count("loaded")


def test_each_test_finds_the_program_as_it_was_loaded(zygote: Zygote) -> None:
    assert judge(zygote, COUNTER, ONCE, ONCE, ONCE, ONCE) == (["passed"] * 4, 1)
    assert judge(zygote, COUNTER, ONCE) == (["passed"], 1)


def test_one_that_breaks_off_takes_no_other_with_it(zygote: Zygote) -> None:
    leaves = "import os; os._exit(0)"
    assert judge(zygote, COUNTER, ONCE, leaves, ONCE) == (["passed", "crashed", "passed"], 1)
    assert judge(zygote, COUNTER, leaves, ONCE) == (["crashed", "passed"], 1)
    assert judge(zygote, COUNTER, ONCE, ONCE, "assert 0") == (["passed", "passed", "failed"], 1)
    # Of the last one it cannot be told whether it was left to another process, which is tried.
    assert judge(zygote, COUNTER, ONCE, leaves) == (["passed", "crashed"], 2)
    assert judge(zygote, COUNTER, ONCE, "import os; os._exit(3)") == (["passed", "crashed"], 1)


def test_one_that_ends_its_parent_takes_no_other_with_it(zygote: Zygote) -> None:
    ends = "import os, signal; os.kill(1, signal.SIGTERM); import time; time.sleep(5)"
    assert judge(zygote, COUNTER, ends, ONCE, ONCE) == (["crashed", "passed", "passed"], 2)


@pytest.mark.parametrize(
    "leaves",
    [
        "open('x', 'w').close()",
        "open('/scratch/x', 'w').close()",
        "open('/tmp/x', 'w').close()",
        "open('/dev/shm/x', 'w').close()",
        "import subprocess; subprocess.Popen(['sleep', '60'])",
    ],
)
def test_traces_are_not_for_the_next_test(zygote: Zygote, leaves: str) -> None:
    looks = """
import os
places = ("/scratch/work", "/tmp", "/dev/shm")
assert os.listdir("/scratch") == ["work"] and not any(map(os.listdir, places))
assert [name for name in os.listdir("/proc") if name.isdigit()] in (["1"], ["1", str(os.getpid())])
"""
    assert judge(zygote, COUNTER, looks, leaves, looks, looks) == (["passed"] * 4, 2)


@pytest.mark.parametrize(
    ("at_load", "test"),
    [
        ("open('x', 'w').close()", "import os\nos.remove('x')"),
        ("import os; os.chdir('/tmp')", "import os\nassert os.getcwd() == '/tmp'"),
        (
            "hosts = open('/etc/passwd')",
            "import answer as a\nassert a.hosts.readline()[:5] == 'root:'",
        ),
        (
            "from threading import Event, Thread\nThread(target=Event().wait, daemon=True).start()",
            "import threading\nassert threading.active_count() == 2",
        ),
        ("import signal; signal.alarm(9)", "import signal\nassert 0 < signal.alarm(0) < 10"),
        (
            "import subprocess; child = subprocess.Popen(['true'])",
            "import answer as a\nassert a.child.wait() == 0",
        ),
        (
            "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))",
            "import resource\nassert resource.getrlimit(resource.RLIMIT_NPROC) == (0, 0)",
        ),
    ],
)
def test_what_forks_would_share_is_loaded_for_each_test(
    zygote: Zygote, at_load: str, test: str
) -> None:
    assert judge(zygote, f"{at_load}\n{COUNTER}", test, test, test) == (["passed"] * 3, 3)


def test_files_and_ports_of_a_task_are_fresh_for_each_test(zygote: Zygote) -> None:
    appends = "with open('data', 'a+') as f: f.seek(0); assert f.read() == 'x'; f.write('y')"
    found = judge(zygote, COUNTER, appends, appends, files={"data": "eA=="})
    assert found == (["passed"] * 2, 2)
    listens = "import socket\nsocket.create_server(('127.0.0.1', 8765), reuse_port=False).close()"
    assert judge(zygote, COUNTER, listens, listens) == (["passed"] * 2, 2)


@pytest.mark.parametrize("solo", [True, False], ids=["solo", "supervised"])
def test_a_program_may_leave_its_children_to_the_kernel(zygote: Zygote, solo: bool) -> None:
    ignores = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    found = judge(zygote, f"{ignores}\n{COUNTER}", ONCE, "assert 0", ONCE, solo=solo)
    assert found == (["passed", "failed", "passed"], 1)


def test_time_is_limited_for_each_test_and_for_all(zygote: Zygote) -> None:
    limits = {"seconds": 1, "total_seconds": 20, "memory_mb": 256}
    loops = "while True: pass"
    found = judge(zygote, COUNTER, loops, ONCE, loops, limits=limits)
    assert found == (["timed_out", "passed", "timed_out"], 1)
    limits = {"seconds": 5, "total_seconds": 3, "memory_mb": 256}
    sleeps = "import time; time.sleep(60)"
    found = judge(zygote, COUNTER, ONCE, sleeps, ONCE, limits=limits)
    assert found == (["passed", "timed_out", "not_run"], 1)
