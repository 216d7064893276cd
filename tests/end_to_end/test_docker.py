"""What a guest can see, reach and leave behind in a container, with a real engine.

The engine is started for these tests, beside any other, and stopped again.
"""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import docker
import pytest
from click.testing import CliRunner

from end_to_end.boxes import REFUSALS, ROOT, answer, ending, python_box, receive_within, running
from end_to_end.engines import running_engine
from end_to_end.test_hostile import CONTROL, EXITS, hostile, record
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.sandbox import Ended
from polyassay.sandbox.choose import find, prove
from polyassay.sandbox.docker import LABEL, Docker, remove_orphans
from real_parts import missing, need

# Made by tools/docker-image in a minute or two, and worth keeping between runs.
ROOT_TAR = Path(os.environ.get("POLYASSAY_ROOT_TAR", ROOT / "build" / "polyassay-guest.tar"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with running_engine(tmp_path_factory.mktemp("engine")) as address:
        yield address


@pytest.fixture(scope="module")
def image(engine):
    if not ROOT_TAR.exists():
        need("debootstrap")
    ROOT_TAR.parent.mkdir(exist_ok=True)
    made = subprocess.run(
        [ROOT / "tools" / "docker-image"],
        env=os.environ | {"DOCKER_HOST": engine, "POLYASSAY_ROOT_TAR": str(ROOT_TAR)},
        capture_output=True,
        text=True,
    )
    if made.returncode:
        missing("debootstrap", f"the image could not be made: {made.stderr.strip()[-200:]}")
    return made.stdout.strip()


@pytest.fixture
def sandbox(engine, image, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", engine)
    return Docker(image)


def test_works_and_is_found(sandbox):
    prove(sandbox)
    assert find("docker").name == "docker"


def test_missing_image_is_told(engine, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", engine)
    with pytest.raises(PolyAssayError, match="no-such-image"):
        Docker("no-such-image")


def test_missing_engine_is_told(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such/socket")
    with pytest.raises(PolyAssayError, match="does not answer"):
        Docker()


def test_frames_of_all_sizes_and_stderr(sandbox):
    code = "sys.stderr.write('aside'); sys.stderr.flush()\nwhile True: send(receive())"
    with running(sandbox, code) as guest:
        for frame in (b"", b"a", b"\x00\xff" * 700_000):
            guest.send(frame, 30)
            assert guest.receive(30) == frame
        for _ in range(100):  # the engine carries the two streams side by side
            if not guest.stderr():
                guest.send(b"", 30)
                guest.receive(30)
        assert guest.stderr() == "aside"


def test_cpu_time_is_seen_from_outside(sandbox):
    # More than a tick of the kernel's clock, which a guest that only starts may stay below.
    code = "while time.process_time() < 0.3: pass\nsend(1)\ntime.sleep(60)"
    with running(sandbox, code) as guest:
        guest.receive(30)
        assert guest.cpu_seconds() >= 0.25


SURROUNDINGS = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines())
written = []
for place in ["/", "/etc", "/usr", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/root", os.getcwd()]:
    try:
        os.close(os.open(place + "/x", os.O_CREAT | os.O_WRONLY))
        written.append(place)
    except OSError:
        pass
send({
    "rights": {status[name] for name in status if name.startswith("Cap")},
    "no_new": status["NoNewPrivs"],
    "filtered": status["Seccomp"],
    "user": os.getuid() >= 1 << 30,
    "groups": len(os.getgroups()) <= 1,
    "written": written,
    "network": [line.split()[0] for line in open("/proc/net/dev").readlines()[2:]],
    "seen": sorted(set(os.environ) - {"HOSTNAME"}),
})
"""


def test_nothing_of_the_host_and_no_rights(sandbox, monkeypatch):
    monkeypatch.setenv("HOSTILE_SECRET", "not to be seen")
    assert answer(sandbox, SURROUNDINGS) == {
        "rights": {"0" * 16},
        "no_new": "1",
        "filtered": "2",
        "user": True,
        "groups": True,
        "written": ["/dev/shm", "/tmp", "/scratch"],
        "network": ["lo:"],
        "seen": ["HOME", "LANG", "PATH", "POLYASSAY_SCRATCH", "TMPDIR"],
    }


def test_filter_refuses_what_leads_out(sandbox):
    code = f"""{REFUSALS}
send([refusal("ptrace", 0, 0, 0, 0), refusal("unshare", 0x10000000),
      refusal("shmget", 77, 4096, 0o1600),
      family(socket.AF_VSOCK), family(socket.AF_NETLINK), family(socket.AF_INET6)])
"""
    assert answer(sandbox, code) == ["EPERM"] * 5 + ["allowed"]


def test_limits(sandbox):
    assert ending(sandbox, "time.sleep(60)", seconds=1).timed_out
    bomb = "x = []\nwhile True: x.append(bytearray(b'1' * 1_000_000))"
    assert ending(sandbox, bomb, memory_mb=150).out_of_memory
    with running(sandbox, "send(1)\nwhile True: pass") as guest:
        guest.receive(30)
        with pytest.raises(Ended) as ended:
            receive_within(guest, 0.3)
        assert ended.value.timed_out
    forks = "n = 0\ntry:\n    while os.fork(): n += 1\n    time.sleep(60)\nexcept OSError: send(n)"
    assert 10 < answer(sandbox, forks, processes=20) < 20


def test_the_ending_tells_how(sandbox):
    assert "exit status 3" in str(ending(sandbox, "sys.exit(3)"))


def test_a_flood_that_nobody_takes_does_not_keep_the_engine(sandbox):
    flood = "os.write(1, b'\\xff' * 4)\nwhile True: os.write(1, b'x' * 65536)"
    told = str(ending(sandbox, flood))
    assert told.startswith("sent a frame of 4294967295 bytes") and "engine" not in told


def test_candidates_are_judged_in_containers(sandbox, tmp_path):
    trick = record("leaves", "forge", EXITS, ["error", "fail"], 0)
    done = hostile(tmp_path, CONTROL, trick, sandbox="docker")
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_is_left(sandbox, engine):
    with running(sandbox, "os.fork(); send(1); time.sleep(60)") as guest:
        guest.receive(30)
        assert len(_containers(engine)) == 1
    assert _containers(engine) == []


def test_containers_of_a_runner_that_is_gone_are_removed(sandbox, engine, monkeypatch):
    monkeypatch.setattr("polyassay.sandbox.docker.start_time", lambda pid: 1)
    guest = sandbox.start(python_box("time.sleep(60)"))
    monkeypatch.undo()
    monkeypatch.setenv("DOCKER_HOST", engine)
    with running(sandbox, "send(1); time.sleep(60)") as ours:
        assert _collected() == 1
        assert ours.receive(30) == b"1"
        assert _collected() == 0
    guest.close()
    assert _containers(engine) == []


def test_several_runners_may_remove_the_same_containers(sandbox, engine, monkeypatch):
    monkeypatch.setattr("polyassay.sandbox.docker.start_time", lambda pid: 1)
    guests = [sandbox.start(python_box("time.sleep(60)")) for _ in range(3)]
    monkeypatch.undo()
    with ThreadPoolExecutor(4) as runners:
        for done in [runners.submit(remove_orphans, docker.APIClient(engine)) for _ in range(4)]:
            done.result()
    for guest in guests:
        guest.close()
    assert _containers(engine) == []


def _collected() -> int:
    called = CliRunner().invoke(polyassay, ["gc", "--json"], standalone_mode=False)
    return json.loads(called.output)["containers"]


def _containers(engine: str) -> list[object]:
    return docker.APIClient(engine).containers(all=True, filters={"label": LABEL})
