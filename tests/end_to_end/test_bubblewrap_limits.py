"""What a guest can use up in bubblewrap, with real processes."""

import os

import pytest

from end_to_end.boxes import answer, ending, named, receive_within, running
from polyassay.sandbox import Ended


def test_processes_are_limited(sandbox):
    code = """
count = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        count += 1
except BlockingIOError:
    send(count)
"""
    # The first process inside may be counted as well.
    assert answer(sandbox, code, processes=20) in (18, 19)
    # The user is fresh, or counted by itself, so that one sandbox does not take from the next.
    assert answer(sandbox, code, processes=20) in (18, 19)


def test_fork_bomb_is_contained_and_leaves_nothing(sandbox):
    name = f"bomb{os.getpid()}"
    code = (
        f"open('/proc/self/comm', 'w').write('{name}')\nsend(1)\n"
        + """
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
    )
    with running(sandbox, code, processes=64) as guest:
        guest.receive(10)
        with pytest.raises(Ended) as ended:
            receive_within(guest, 0.5)
        assert ended.value.timed_out
        assert named(name) == []


def test_open_files_file_size_and_disk_are_limited(sandbox):
    code = """
import errno
def fails(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
def fill(place):
    with open(place + "/fill", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
def fill_with_many():
    for i in range(100):
        with open(f"many{i}", "wb") as file:
            file.write(bytes(1 << 20))
kept = []
def take_all():
    while True:
        kept.append(os.open("/dev/null", os.O_RDONLY))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
results = [fails(lambda: fill("/scratch")), fails(fill_with_many), fails(lambda: fill("/tmp")),
           fails(lambda: fill("/dev/shm")), fails(take_all)]
send(results)
"""
    results = answer(sandbox, code, disk_mb=20, open_files=50)
    assert results[1:] == ["ENOSPC", "EFBIG", "EFBIG", "EMFILE"]
    assert results[0] in ("EFBIG", "ENOSPC")


def test_memory_limit(sandbox):
    code = "x = []\nwhile True: x.append(bytearray(b'1' * 1_000_000))"
    assert ending(sandbox, code, memory_mb=150).out_of_memory


def test_memory_limit_counts_the_names_of_files(sandbox):
    code = """
for i in range(10**9):
    os.mknod(f"/tmp/{i}")
"""
    assert ending(sandbox, code, memory_mb=50).out_of_memory


def test_deadline(sandbox):
    assert ending(sandbox, "time.sleep(60)", seconds=0.3).timed_out
