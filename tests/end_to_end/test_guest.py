"""The supervisor's frames, deadlines and limits, with real processes and no isolation."""

import time
from pathlib import Path

import pytest

from end_to_end.boxes import receive_within, running
from polyassay.errors import PolyAssayError
from polyassay.sandbox import Ended
from polyassay.sandbox.choose import find
from polyassay.sandbox.linux.processes import family
from polyassay.sandbox.none import NoSandbox

ECHO = "while True: send(receive())"
SANDBOX = NoSandbox()


def test_frames_come_back_whole_and_in_order():
    with running(SANDBOX, ECHO) as guest:
        for frame in (b"", b"a", b"\x00\xff" * 700_000):
            guest.send(frame, 10)
            assert guest.receive(10) == frame


def test_frames_sent_before_they_are_asked_for_are_kept():
    with running(SANDBOX, "for i in range(3): send(i)") as guest:
        assert [guest.receive(10) for _ in range(3)] == [b"0", b"1", b"2"]
        with pytest.raises(Ended):
            guest.receive(10)


def test_waiting_ends_where_something_else_matters_more():
    code = "time.sleep(0.5); send(b'late')"
    with running(SANDBOX, "time.sleep(60)") as waiting, running(SANDBOX, code) as other:
        assert not other.speaks()
        with pytest.raises(KeyError):
            waiting.receive(20, lambda: dict[str, None]()["late"] if other.speaks() else None)
        assert other.speaks() and other.receive(1) == b"late"
        with pytest.raises(Ended):
            waiting.receive(0.2, lambda: None)


def test_two_long_frames_that_meet_do_not_block_each_other():
    code = "send(bytes(5_000_000)); send(len(receive()))"
    with running(SANDBOX, code) as guest:
        guest.send(bytes(5_000_000), 20)
        assert len(guest.receive(10)) == 5_000_000
        assert guest.receive(10) == b"5000000"


def test_a_frame_that_is_too_long_ends_the_guest():
    code = "send(bytes(1001))"
    with running(SANDBOX, code, frame_bytes=1000) as guest, pytest.raises(Ended, match="1001 byt"):
        guest.receive(10)


def test_a_false_length_is_not_believed():
    code = "os.write(1, b'\\xff' * 4); time.sleep(60)"
    with running(SANDBOX, code) as guest, pytest.raises(Ended, match="4294967295 bytes"):
        guest.receive(10)


def test_frames_that_nobody_asks_for_do_not_pile_up():
    code = "while True: send(bytes(900))"
    with running(SANDBOX, code, frame_bytes=1000) as guest, pytest.raises(Ended, match="more th"):
        guest.send(bytes(9_000_000), 20)


def test_silence_is_ended_at_the_deadline():
    with running(SANDBOX, "time.sleep(60)") as guest:
        with pytest.raises(Ended) as ended:
            guest.receive(0.2)
        assert ended.value.timed_out and not ended.value.out_of_memory


def test_a_frame_that_trickles_in_does_not_move_the_deadline():
    code = "os.write(1, struct.pack('>I', 1000))\nwhile True: os.write(1, b'x'); time.sleep(0.01)"
    with running(SANDBOX, code) as guest, pytest.raises(Ended) as ended:
        guest.receive(0.5)
    assert ended.value.timed_out


def test_a_guest_that_does_not_read_is_ended_at_the_deadline():
    with running(SANDBOX, "time.sleep(60)") as guest, pytest.raises(Ended) as ended:
        guest.send(bytes(1 << 20), 0.3)
    assert ended.value.timed_out


def test_cpu_time_decides_before_wall_time():
    with running(SANDBOX, "send(1)\nwhile True: pass") as guest:
        guest.receive(10)
        with pytest.raises(Ended, match="CPU") as ended:
            receive_within(guest, 0.2)
        assert ended.value.timed_out
        assert guest.cpu_seconds() >= 0.2


def test_cpu_time_of_children_counts():
    code = "if os.fork(): os.wait()\nwhile True: pass"
    with running(SANDBOX, code) as guest, pytest.raises(Ended, match="CPU"):
        receive_within(guest, 0.3)


def test_cpu_limit_of_the_whole_sandbox():
    with running(SANDBOX, "while True: pass", cpu_seconds=0.2) as guest:
        with pytest.raises(Ended, match=r"0\.2 s of CPU") as ended:
            guest.receive(60)
        assert ended.value.timed_out


def test_sleeping_uses_no_cpu_time():
    with running(SANDBOX, "time.sleep(0.3); send(1)") as guest:
        assert receive_within(guest, 5) == b"1"


@pytest.mark.parametrize("share", ["", "os.fork()\n"])
def test_memory_of_the_whole_sandbox_is_limited(share):
    code = share + "x = []\nwhile True: x.append(bytearray(b'1' * 1_000_000)); time.sleep(0.001)"
    with running(SANDBOX, code, memory_mb=150) as guest, pytest.raises(Ended) as ended:
        guest.receive(60)
    assert ended.value.out_of_memory and not ended.value.timed_out


def test_memory_that_forks_share_counts_once():
    code = """
x = b'1' * 100_000_000
children = [os.fork() for _ in range(2)]
time.sleep(1)
send(1) if all(children) else time.sleep(60)
"""
    with running(SANDBOX, code, memory_mb=200) as guest:
        assert guest.receive(30) == b"1"


def test_the_ending_tells_how():
    with running(SANDBOX, "sys.stderr.write('last words'); sys.exit(3)") as guest:
        with pytest.raises(Ended, match="exit status 3") as ended:
            guest.receive(10)
        assert not ended.value.timed_out and not ended.value.out_of_memory
        assert guest.stderr() == "last words"


def test_an_ended_guest_stays_ended():
    with running(SANDBOX, "os.kill(os.getpid(), 11)") as guest:
        for _ in range(2):
            with pytest.raises(Ended, match="SIGSEGV"):
                guest.receive(10)
        with pytest.raises(Ended, match="SIGSEGV"):
            guest.send(b"x", 10)


def test_standard_error_is_kept_up_to_its_limit_and_never_blocks():
    code = "os.write(2, b'a' * 10)\nfor _ in range(100): os.write(2, b'b' * 10_000)\nsend(1)"
    with running(SANDBOX, code, stderr_bytes=100) as guest:
        assert guest.receive(10) == b"1"
        assert guest.stderr() == "a" * 10 + "b" * 90


def test_close_ends_all_processes():
    with running(SANDBOX, "os.fork(); os.fork(); send(os.getpid()); time.sleep(60)") as guest:
        pids = {int(guest.receive(10)) for _ in range(4)}
        guest.close()
        guest.close()
        deadline = time.monotonic() + 10
        while any(_alive(pid) for pid in pids):
            assert time.monotonic() < deadline
            time.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_family_of_a_process_that_is_gone():
    assert list(family(2**22 + 1)) == [2**22 + 1]


def test_no_sandbox_needs_the_users_word():
    with pytest.raises(PolyAssayError, match="whatever you can"):
        find("none", trusted=False)
    assert find("none", trusted=True).name == "none"


def test_unknown_sandbox_is_named():
    with pytest.raises(PolyAssayError, match="chroot"):
        find("chroot")
