"""What a guest can see, reach and leave behind in bubblewrap, with real processes."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from end_to_end.boxes import answer, ending, named, python_box, running
from polyassay.environments.cache import VARIABLE
from polyassay.sandbox import Box, Ended
from polyassay.sandbox.linux import launch
from polyassay.sandbox.linux.cgroup import ControlGroupsV2
from real_parts import elsewhere, missing

CGROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
ROOT = Path(__file__).resolve().parents[2]


def test_it_starts_where_more_than_a_thousand_files_are_open(sandbox):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2000:
        elsewhere("a process may not open so many files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2000, hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        assert answer(sandbox, "send(1)") == 1
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_host_is_out_of_reach_over_the_network(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        code = f"""
import socket
try:
    socket.create_connection(("127.0.0.1", {port}), 5)
except OSError as error:
    send(type(error).__name__)
"""
        assert answer(sandbox, code) == "ConnectionRefusedError"
        code = "send([line.split()[0] for line in open('/proc/net/dev').readlines()[2:]])"
        assert answer(sandbox, code) == ["lo:"]


def test_a_guest_ignores_no_signal_that_the_runner_ignores(sandbox):
    """As a runner does that nohup has started, or the background of a script."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGHUP, signal.SIGINT)}
    code = """
import signal
send([one.name for one in signal.Signals if signal.getsignal(one) is signal.SIG_IGN])
"""
    try:
        assert answer(sandbox, code) == ["SIGPIPE", "SIGXFSZ"]  # which Python itself ignores
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def test_a_guest_holds_no_signal_back_that_the_runner_does(sandbox, monkeypatch):
    """As one does whose supervisor held it back when it started."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGUSR1})
    monkeypatch.setattr(launch, "_starter", launch.starter())
    code = "import signal; send([int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, ())])"
    try:
        assert answer(sandbox, code) == []
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_environment_holds_nothing_of_the_hosts(sandbox, monkeypatch):
    monkeypatch.setenv("HOSTILE_SECRET", "not to be seen")
    code = """
seen = []
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        seen.append(open(f"/proc/{process}/environ", "rb").read())
    except OSError:
        pass
send((b"not to be seen" in b"".join(seen), sorted(os.environ)))
"""
    ours = ["HOME", "LANG", "PATH", "POLYASSAY_SCRATCH", "PWD", "TMPDIR"]
    assert answer(sandbox, code) == (False, ours)


def test_only_scratch_folders_can_be_written(sandbox):
    code = """
written = []
places = ["/", "/etc", "/usr", "/usr/local", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/root",
          "/proc", "/run", os.getcwd(), sys.prefix]
for place in places:
    try:
        os.close(os.open(place + "/x", os.O_CREAT | os.O_WRONLY))
        written.append(place)
    except OSError:
        pass
send(written)
"""
    assert answer(sandbox, code) == ["/dev/shm", "/tmp", "/scratch"]


def test_host_files_are_invisible(sandbox, tmp_path):
    (tmp_path / "secret").write_text("x")
    places = [str(tmp_path / "secret"), str(Path.home() / ".profile"), "/etc/shadow", str(ROOT)]
    assert answer(sandbox, f"send([p for p in {places} if os.path.exists(p)])") == []


def test_readable_paths_can_be_read_and_not_written(sandbox, tmp_path):
    inside = tmp_path / "private" / "given"
    inside.mkdir(parents=True)
    (inside / "a.txt").write_text("hello")
    (inside.parent / "b.txt").write_text("not given")
    inside.parent.chmod(0o700)
    code = f"""
try:
    open("{inside}/c", "w")
    writable = True
except OSError:
    writable = False
send((open("{inside}/a.txt").read(), os.listdir("{inside.parent}"), writable))
"""
    assert answer(sandbox, code, readable=(inside,)) == ("hello", ["given"], False)


def test_system_files_that_programs_need_are_there(sandbox):
    code = """
import pwd, socket
send((pwd.getpwuid(os.getuid()).pw_dir, socket.gethostbyname(socket.gethostname()),
      sorted(name for name in os.listdir("/etc") if not name.startswith("java"))))
"""
    home, address, settings = answer(sandbox, code)
    assert (home, address) == ("/scratch", "127.0.0.1")
    known = {"alternatives", "group", "hosts", "ld.so.cache", "nsswitch.conf", "passwd"}
    assert set(settings) <= known


def test_guest_has_no_rights_at_all(sandbox):
    code = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines())
send(({status[name] for name in status if name.startswith("Cap")}, status["NoNewPrivs"],
      os.getuid(), os.getgroups()))
"""
    rights, no_new, user, groups = answer(sandbox, code)
    assert rights == {"0" * 16}
    assert (no_new, user) == ("1", 1000)
    assert set(groups) <= {1000, 65534}


def test_only_its_own_processes_are_seen(sandbox):
    code = "send(sorted(int(name) for name in os.listdir('/proc') if name.isdigit()))"
    assert len(answer(sandbox, code)) == 2


def test_signals_to_everybody_stay_inside(sandbox):
    assert "ended" in str(ending(sandbox, "os.kill(-1, 9); os.kill(os.getppid(), 9); sys.exit()"))


def test_close_leaves_no_process_even_of_daemons(sandbox):
    name = f"daemon{os.getpid()}"
    code = f"""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open('/proc/self/comm', 'w').write('{name}')
        send(1)
        time.sleep(60)
    os._exit(0)
time.sleep(60)
"""
    with running(sandbox, code) as guest:
        guest.receive(10)
        assert len(named(name)) == 1
        guest.close()
        assert named(name) == []


def test_what_the_runner_started_dies_with_it(sandbox):
    name = f"orphan{os.getpid()}"
    code = f"open('/proc/self/comm', 'w').write('{name}'); send(1); time.sleep(60)"
    runner = f"""
import sys, time
sys.path[:0] = {[str(ROOT / "runner"), str(ROOT / "tests")]}
from end_to_end.boxes import python_box
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.sandbox.linux import launch
guest = Bubblewrap().start(python_box({code!r}))
guest.receive(30)
print("up", flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", runner], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "up\n"
    assert len(named(name)) == 1
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while named(name):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_guest_outlives_the_thread_that_started_it(sandbox):
    started = []
    box = python_box("send(receive())")
    thread = threading.Thread(target=lambda: started.append(sandbox.start(box)))
    thread.start()
    thread.join()
    guest = started[0]
    try:
        guest.send(b"still here", 10)
        assert guest.receive(10) == b"still here"
    finally:
        guest.close()


def test_no_descriptor_is_left_open(sandbox):
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with running(sandbox, "pass"):
        pass
    before = count()
    for code in ("sys.exit(1)", "time.sleep(60)"):
        ending(sandbox, code, seconds=0.3)
    assert count() == before


def test_control_group_counts_exactly_and_is_removed(sandbox, monkeypatch):
    """With a group without controllers, which can be had wherever version 2 is mounted."""
    place = next((p for p in map(Path, CGROUPS) if os.access(p / "cgroup.procs", os.W_OK)), None)
    if place is None:
        missing("control groups", "no tree of version 2 that can be written to")
    monkeypatch.setattr(sandbox, "_groups", ControlGroupsV2(place))
    code = """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the child, nobody gets its time
if os.fork() == 0:
    while time.process_time() < 0.3: pass
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    pass
send(open("/proc/self/cgroup").read())
time.sleep(60)
"""
    with running(sandbox, code) as guest:
        guest.receive(30)
        assert guest.cpu_seconds() >= 0.3
        assert len(list(place.glob(f"polyassay-{os.getpid()}-*"))) == 1
    assert list(place.glob(f"polyassay-{os.getpid()}-*")) == []


def test_what_is_weaker_here_is_told(sandbox):
    assert all("systemd-run" in weakness for weakness in sandbox.weaknesses())


def test_a_program_that_is_not_there(sandbox):
    guest = sandbox.start(Box(("/no/such/program",)))
    with pytest.raises(Ended, match="exit status 127"):
        guest.receive(10)
    assert "No such file" in guest.stderr()


FOR_EVERYBODY = """
import sys
sys.path[:0] = sys.argv[1:]
from pathlib import Path
from end_to_end.boxes import answer, ending, in_zygote
from polyassay.sandbox.linux.cgroup import ControlGroupsV2
from polyassay.sandbox.choose import find
sandbox = find("bubblewrap")
assert answer(sandbox, "send(os.getuid())") == 1000
assert ending(sandbox, "x = [b'1' * 100_000 for _ in range(10_000)]", memory_mb=100).out_of_memory
assert ending(sandbox, "for i in range(10**9): os.mknod(str(i))", memory_mb=50).out_of_memory
assert ending(sandbox, "time.sleep(60)", seconds=0.3).timed_out
bomb = "n = 0\\ntry:\\n    while os.fork(): n += 1\\n    time.sleep(60)\\nexcept OSError: send(n)"
assert answer(sandbox, bomb, processes=20) in (18, 19)
assert in_zygote(sandbox, "send(os.getpid())") == [1, 1]
print("all held")
"""


def test_works_for_an_ordinary_user():
    if os.geteuid() != 0:
        elsewhere("the other tests ran as an ordinary user already")
    python = Path("/usr/bin/python3")
    if not python.exists():
        missing("environment", f"there is no {python}, which every user can reach")
    with tempfile.TemporaryDirectory() as folder:
        for part in ("runner/polyassay", "python-harness", "tests/end_to_end/boxes.py"):
            copied = Path(folder, part)
            copied.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, copied)
        Path(folder).chmod(0o755)
        user = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
        done = subprocess.run(
            [*user, str(python), "-c", FOR_EVERYBODY]
            + [f"{folder}/{part}" for part in ("runner", "python-harness", "tests")],
            capture_output=True,
            text=True,
            env={name: value for name, value in os.environ.items() if name != VARIABLE},  # root's
        )
    assert done.stdout == "all held\n", done.stderr
