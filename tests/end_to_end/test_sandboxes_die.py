"""Nothing of a sandbox is left when the process that sets it up ends, however that ends."""

import random
import signal
import subprocess
import sys
import time

import psutil
import pytest

from orphans import foster_parent
from polyassay.sandbox.bubblewrap import Bubblewrap
from real_parts import missing

# A process that is held up while bwrap waits for it, which is when a sandbox could outlive it.
STARTS = """
import os, sys, threading, time
from polyassay.sandbox import Box, BoxLimits, bubblewrap
from polyassay.dispatch import slot_process
def held_up(*arguments):
    print("held up", flush=True)
    {then}
    time.sleep(600)
bubblewrap.{step} = held_up
box = Box(("/bin/sleep", "600"), limits=BoxLimits(memory_mb=64))
threading.Thread(target=bubblewrap.Bubblewrap().start, args=(box,), daemon=True).start()
sys.stdin.read()
{ends}
"""
ENDS = {
    "as a slot whose run was killed": "slot_process._end()",
    "as a program does": "sys.exit()",
    "with an error": "raise RuntimeError",
}


def held_up(step: str, ends: str = "", then: str = "") -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", STARTS.format(step=step, ends=ends, then=then)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def below(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """What it has started, once the sandbox has its second process."""
    assert process.stdout
    assert process.stdout.readline() == "held up\n"
    deadline = time.monotonic() + 60
    while True:
        found = psutil.Process(process.pid).children(recursive=True)
        if len(found) >= 2 or time.monotonic() > deadline:
            assert len(found) >= 2
            return found
        time.sleep(0.01)


def assert_gone(processes: list[psutil.Process]) -> None:
    _, left = psutil.wait_procs(processes, timeout=10)
    for process in left:
        process.kill()
    assert not left


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("step", ["_first_process", "_map_users"])
def test_a_sandbox_that_is_set_up_ends_with_its_runner(
    sandbox: Bubblewrap, step: str, ends: str
) -> None:
    process = held_up(step, ENDS[ends])
    started = below(process)
    process.communicate("")
    assert_gone(started)


def test_a_sandbox_whose_set_up_failed_leaves_nothing(sandbox: Bubblewrap) -> None:
    process = held_up("_map_users", "sys.exit()", "time.sleep(2); raise OSError")
    assert_gone(below(process))
    process.communicate("")


def test_the_next_run_ends_what_a_killed_one_was_setting_up(sandbox: Bubblewrap) -> None:
    if not sandbox.strengths():
        missing("control groups", "the sandbox has none to count with")
    process = held_up("_map_users")
    started = below(process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    Bubblewrap()
    assert_gone(started)


# Sandboxes are started by six threads without a pause when the process ends, as a slot does.
STARTS_ALWAYS = """
import sys, threading
from polyassay.sandbox import Box, BoxLimits, bubblewrap
from polyassay.dispatch import slot_process
box = Box(("/bin/sleep", "600"), limits=BoxLimits(memory_mb=64))
sandbox = bubblewrap.Bubblewrap()
def start_always():
    while True:
        sandbox.start(box).close()
for _ in range(6):
    threading.Thread(target=start_always, daemon=True).start()
print("started", flush=True)
sys.stdin.read()
slot_process._end()
"""


def test_a_slot_that_ends_amid_starts_leaves_nothing(sandbox: Bubblewrap) -> None:
    chance = random.Random(20261118)
    with foster_parent():
        for _ in range(12):
            process = subprocess.Popen(
                [sys.executable, "-c", STARTS_ALWAYS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            assert process.stdout
            assert process.stdout.readline() == "started\n"
            time.sleep(chance.uniform(0, 0.3))
            process.communicate("", timeout=60)
            assert process.returncode == 1
