"""What the filter refuses, and what the children of a zygote can see and do."""

from end_to_end.boxes import REFUSALS, answer, in_zygote

TRICKS = f"""{REFUSALS}
ptrace, unshare, keyctl, mount = (refusal("ptrace", 0, 0, 0, 0), refusal("unshare", 0x10000000),
    refusal("syscall", 250, 0, -5, 0), refusal("mount", b"x", b"/tmp", b"tmpfs", 0, None))
shared, memory = refusal("shmget", 77, 4096, 0o1600), refusal("memfd_create", b"x", 0)
send([ptrace, unshare, keyctl, mount, shared, memory,
      family(socket.AF_VSOCK), family(socket.AF_NETLINK), family(socket.AF_INET6)])
"""
REFUSED = ["EPERM"] * 6 + ["EAFNOSUPPORT"] * 2 + ["allowed"]


def test_filter_refuses_what_leads_out(sandbox):
    assert answer(sandbox, TRICKS) == REFUSED


def test_filter_holds_for_a_zygotes_children(sandbox):
    assert in_zygote(sandbox, TRICKS) == [REFUSED] * 2


def test_zygotes_children_see_nothing_of_each_other(sandbox):
    child = """
before = os.listdir("/scratch") + os.listdir("/tmp") + os.listdir("/dev/shm")
for place in ("/scratch", "/tmp", "/dev/shm"):
    open(place + "/x", "w").close()
send((os.getpid(), [n for n in os.listdir("/proc") if n.isdigit()], before, os.getcwd(),
      [line.split()[0] for line in open("/proc/net/dev").readlines()[2:]]))
"""
    assert in_zygote(sandbox, child) == [(1, ["1"], [], "/scratch", ["lo:"])] * 2


def test_zygotes_children_have_no_rights(sandbox):
    """Nor do programs that they execute."""
    child = """
import subprocess
def rights(text):
    status = dict(line.split(":\\t", 1) for line in text.splitlines())
    return {status[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Amb")}, status["NoNewPrivs"]
executed = subprocess.run(["cat", "/proc/self/status"], stdout=subprocess.PIPE, text=True).stdout
send((rights(open("/proc/self/status").read()), rights(executed)))
"""
    none = {"0" * 16}, "1"
    assert in_zygote(sandbox, child) == [(none, none)] * 2


def test_supervisors_memory_is_out_of_its_childrens_reach(sandbox):
    child = """
if os.fork() == 0:
    confine.unseal()
    reached = []
    for place in ("/proc/1/mem", "/proc/1/environ", "/proc/self/mem", "/proc/self/environ"):
        try:
            os.close(os.open(place, os.O_RDONLY))
            reached.append(place)
        except PermissionError:
            pass
    send(reached)
    os._exit(0)
os.wait()
"""
    assert in_zygote(sandbox, child) == [["/proc/self/mem", "/proc/self/environ"]] * 2


def test_zygotes_children_have_limits_of_their_own(sandbox):
    child = """
count = 0
try:
    while os.fork():
        count += 1
    time.sleep(60)
except BlockingIOError:
    send((count, os.statvfs("/scratch").f_blocks * os.statvfs("/scratch").f_frsize >> 20))
"""
    assert in_zygote(sandbox, child) == [(7, 5)] * 2
