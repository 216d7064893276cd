"""A zygote's memory, in a process of its own: it is changed for good."""

import mmap
import subprocess
import sys

from polyassay_harness import heap

BEGIN = """
import sys
from polyassay_harness import heap

def of_heap(field):
    lines = open("/proc/self/smaps").read().splitlines()
    start = next((n for n, line in enumerate(lines) if line.endswith("[heap]")), len(lines))
    found = next((line for line in lines[start:] if line.startswith(field)), "x 0 kB")
    return int(found.split()[1]) // 1024

def objects(megabytes):
    return [(number, number + 1.5) for number in range(megabytes << 13)]  # about 128 bytes each
"""


def test_what_is_made_together_lies_in_the_heap() -> None:
    sizes = _say(
        "before = of_heap('Rss:')",
        "with heap.together(): kept = objects(16)",
        "within = of_heap('Rss:')",
        "more = objects(16)",
        "print(within - before, of_heap('Rss:') - within)",
    )
    within, after = map(int, sizes.split())
    assert within >= 12
    assert after <= 4


def test_objects_survive_the_move_into_huge_pages() -> None:
    moved, kept = _say(
        "with heap.together(): kept = objects(16)",
        "heap.gather()",
        "heap.gather()",
        "print(of_heap('AnonHugePages:'), kept == objects(16))",
    ).split()
    assert kept == "True"
    assert int(moved) >= 12 or not _collapses()


def test_what_is_freed_later_goes_back_to_the_system() -> None:
    left = _say(
        "with heap.together(): kept = objects(32)",
        "heap.gather()",
        "before = of_heap('Rss:')",
        "del kept",
        "more = objects(32) ; del more",
        "print(before - of_heap('Rss:'))",
    )
    assert int(left) >= 16


def test_what_has_holes_moves_too() -> None:
    moved = _say(
        "with heap.together(): first = objects(16); kept = objects(32)",
        "del first",
        "heap.gather()",
        "print(sum(int(line.split()[1]) for line in open('/proc/self/smaps')"
        " if line.startswith('AnonHugePages:')) // 1024)",
    )
    assert int(moved) >= 24 or not _collapses()


def test_deep_calls_do_not_fill_the_heap() -> None:
    """At some depth the next call is the first in another piece of Python's stack."""
    grown = _say(
        "def deep(n):",
        "    if n: return deep(n - 1)",
        "    for _ in range(500): small()",
        "def small(): return None",
        "@heap.keeps_stack",
        "def calls():",
        "    with heap.together():",
        "        for depth in range(400): deep(depth)",
        "before = of_heap('Size:')",
        "calls()",
        "print(of_heap('Size:') - before)",
    )
    assert int(grown) <= 8


def _collapses() -> bool:
    """Whether this system moves memory when it is asked to."""
    memory = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(b"x" * (8 << 20))
    try:
        memory.madvise(heap.MADV_COLLAPSE)
    except OSError:
        return False
    return True


def _say(*lines: str) -> str:
    code = BEGIN + "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout
