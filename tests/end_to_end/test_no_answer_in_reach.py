"""No candidate finds another one's answer, values or output, nor the tests of another task."""

import pytest

from end_to_end.judged import judge, python_task
from polyassay.harness.python.harness import PythonSession
from polyassay.model import Limits, Outcome, Task

SECRET, OWN = "SECRET0123456789abcdef", "OWNTEXT0123456789abcdef"
VICTIM = f"""
print({SECRET!r})
def answer(n):
    print({SECRET!r})
    return {SECRET!r}
"""
WRONG = VICTIM.replace("return ", "return 'not ' + ")
# Built when it runs, or it would find itself; what follows the name is in no pattern of ours.
FIND = f"""
import re, sys
own = {OWN!r}
def pattern(name):
    return re.compile(name[::-1] + rb"[0-9a-f]{{16}}")
def report(texts):
    found = [0, 0]
    size = 0
    for text in texts:
        text = text if isinstance(text, bytes) else repr(text).encode()
        size += len(text)
        found[0] += len(pattern(b"TERCES").findall(text))
        found[1] += len(pattern(b"TXETNWO").findall(text))
    print("secrets", found[0], "own", found[1], "looked", size > 0)
def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 26)
    except (OSError, ValueError):
        return b""
"""
ATTACKS = {
    "memory": """
def memory():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as mem:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if line.split()[1].startswith("r") and end - start < 1 << 28:
                try:
                    mem.seek(start)
                    yield mem.read(end - start)
                except (OSError, ValueError, OverflowError):
                    continue
report(memory())
""",
    "objects": """
import gc
def objects():
    gc.collect()
    seen, waiting = set(), gc.get_objects()
    while waiting:
        one = waiting.pop()
        if id(one) in seen or one is FIND_STATE:
            continue
        seen.add(id(one))
        if type(one) in (str, bytes, bytearray):
            yield one
        elif type(one) in (list, dict, tuple, set):
            waiting.extend(gc.get_referents(one))
FIND_STATE = None
report(objects())
""",
    "environment": """
report(read("/proc/%s/%s" % (who, what)) for who in ("self", "1")
       for what in ("environ", "cmdline", "comm", "stat", "status", "mountinfo"))
""",
    "descriptors": """
import os
def descriptors():
    for who in ("self", "1"):
        try:
            names = os.listdir("/proc/%s/fd" % who)
        except OSError:
            continue
        for name in names:
            if who == "self" and int(name) < 4:
                continue
            yield read("/proc/%s/fd/%s" % (who, name))
    yield b"looked"
report(descriptors())
""",
    "frames": """
def frames():
    frame = sys._getframe()
    while frame is not None:
        yield from list(frame.f_locals.values())
        for code in frame.f_globals.values():
            yield code
        frame = frame.f_back
report(frames())
""",
    "modules": """
import linecache
def modules():
    for module in list(sys.modules.values()):
        for value in list(getattr(module, "__dict__", {}).values()):
            if type(value) in (str, bytes, list, dict, tuple):
                yield value
    yield linecache.cache
report(modules())
""",
    "files": """
import os
def files():
    yield b"looked"
    for top in ("/scratch", "/tmp", "/dev/shm", "/run", "/var/tmp"):
        for place, _, names in os.walk(top):
            for name in names:
                yield read(os.path.join(place, name))
report(files())
""",
    "first process": """
report([read("/proc/1/mem"), read("/proc/1/environ"), read("/proc/1/maps"), b"looked"])
""",
}
LIMITS = Limits(seconds=20, total_seconds=60, memory_mb=512)


def make_task(expected: str, count: int) -> Task:
    tests = (f"assert answer({n}) == {expected!r}" for n in range(count))
    return python_task(*tests, limits=LIMITS)


@pytest.mark.parametrize("count", [1, 6], ids=["fork_per_test", "supervised"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_found(session: PythonSession, attack: str, count: int) -> None:
    before, after = make_task(SECRET, count), make_task("x", count)
    for _ in range(3):
        assert judge(session, before, VICTIM).outcome is Outcome.PASSED
        assert judge(session, before, WRONG).outcome is Outcome.FAILED
    verdict = judge(session, after, f"{FIND}{ATTACKS[attack]}\ndef answer(n): return n\n")
    assert "secrets 0 " in verdict.output and "looked True" in verdict.output, verdict
    if attack in ("memory", "objects", "modules"):  # it would have found what is there
        assert "own 0 " not in verdict.output
