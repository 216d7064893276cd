"""Slots on a real Ray cluster: two nodes of one CPU each, on this machine."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import psutil
import pytest

import stub_slots
from command_line import PolyAssay, command, environment, write_jsonl
from end_to_end.grading_pages import free_port
from made import candidates_for, make_task
from polyassay.dispatch.scheduling import Pair, Schedule, TaskGroup
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import CandidateKey, Verdict
from polyassay.pipeline import gather
from polyassay.sandbox.none import NoSandbox
from polyassay.store import Store
from real_parts import need_package

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

    from polyassay.dispatch.on_ray import RayCluster

ANSWERS = 60
KILLS = 2
TASK = make_task("a")
T = TypeVar("T")
CLIENT_PORT = free_port()


@pytest.fixture(scope="module")
def cluster() -> Iterator["Cluster"]:
    need_package("ray", "polyassay[ray]")
    from ray.cluster_utils import Cluster

    made = Cluster()
    add_node(made, include_dashboard=False, ray_client_server_port=CLIENT_PORT)
    add_node(made)
    yield made
    made.shutdown()


def add_node(cluster: "Cluster", **more: Any) -> None:
    patiently(lambda: cluster.add_node(num_cpus=1, object_store_memory=80 << 20, **more))


def patiently(start: Callable[[], T]) -> T:
    """Ray gives a node or a client's server 30 seconds, which a busy machine may take twice."""
    for _ in range(2):
        with suppress(Exception):
            return start()
    return start()


@pytest.fixture
def connected(cluster: "Cluster", monkeypatch: pytest.MonkeyPatch) -> Iterator["RayCluster"]:
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    with connection("ray") as made:
        yield made


@contextmanager
def connection(on: str) -> Iterator["RayCluster"]:
    import ray

    from polyassay.dispatch.on_ray import RayCluster

    ray.cloudpickle.register_pickle_by_value(stub_slots)  # nodes do not have it
    made = patiently(lambda: RayCluster(on))
    yield made
    made.close()


def judged(connected: "RayCluster", home: Path, open_slot: Any, count: int) -> list[Verdict]:
    def pairs(_: TaskGroup) -> Iterator[Pair]:
        yield from candidates_for(TASK, count)

    groups = [TaskGroup("s", {TASK.id: TASK}, count, 4)] if count else []
    settings = RunSettings(NoSandbox(), home, jobs=2)
    dispatch = connected.dispatcher({}, {})
    lists = gather(dispatch(Schedule(groups, pairs, 2), open_slot, settings))
    return [verdict for verdicts in lists for verdict in verdicts]


def verdicts(polyassay: PolyAssay) -> dict[tuple[str, str, str, int], Any]:
    lines = polyassay("verdicts", "latest", "--json").stdout.splitlines()
    read = [json.loads(line) for line in lines]
    found = {
        (v["suite"], v["task"], v["tool"], v["sample"]): (
            v["outcome"],
            [(test["name"], test["status"]) for test in v["tests"]],
        )
        for v in read
    }
    assert len(found) == len(read), "a candidate has two verdicts"
    return found


def sandboxes() -> list[psutil.Process]:
    return [p for p in psutil.Process().children(recursive=True) if p.name() == "bwrap"]


def test_every_candidate_is_judged_once(connected: "RayCluster", tmp_path: Path) -> None:
    assert connected.cpus == 2
    found = judged(connected, tmp_path, stub_slots.SlowSlot, 100)
    assert sorted(verdict.candidate.sample for verdict in found) == list(range(100))
    assert len({verdict.reason for verdict in found}) == 2, "both nodes have work"
    assert judged(connected, tmp_path, stub_slots.PassingSlot, 0) == []


def test_what_a_slot_raises_is_raised_with_its_hint(
    connected: "RayCluster", tmp_path: Path
) -> None:
    with pytest.raises(PolyAssayError, match="broken slot") as raised:
        judged(connected, tmp_path, stub_slots.RaisingSlot, 50)
    assert raised.value.hint == "mend it"
    with pytest.raises(PolyAssayError, match="no slot"):
        judged(connected, tmp_path, stub_slots.RefusingSlot, 5)
    with pytest.raises(PolyAssayError, match="cannot close"):
        judged(connected, tmp_path, stub_slots.ClosingBadlySlot, 5)


def test_a_candidate_that_kills_its_actors_costs_no_other_its_verdict(
    connected: "RayCluster", tmp_path: Path
) -> None:
    found = judged(connected, tmp_path, stub_slots.DyingSlot, 30)
    assert sorted(verdict.candidate.sample for verdict in found) == list(range(30))


def test_a_ray_client_judges_and_hears_of_failures_alike(
    cluster: "Cluster", tmp_path: Path
) -> None:
    assert cluster.head_node
    with connection(f"ray://{cluster.head_node.node_ip_address}:{CLIENT_PORT}") as outside:
        assert outside.cpus == 2
        found = judged(outside, tmp_path, stub_slots.DyingSlot, 30)
        assert sorted(verdict.candidate.sample for verdict in found) == list(range(30))
        with pytest.raises(PolyAssayError, match="broken slot"):
            judged(outside, tmp_path, stub_slots.RaisingSlot, 50)


def test_a_cluster_that_does_not_answer_is_told(polyassay: PolyAssay) -> None:
    told = polyassay("run", "-s", "starter-python", "-c", "empty", "--on", "ray:/x")
    assert told.returncode == 2 and "none of local, ray and ray://HOST:PORT" in told.stderr


def test_verdicts_are_those_of_local_slots(
    cluster: "Cluster", polyassay: PolyAssay, tmp_path: Path
) -> None:
    run = ["run", "-s", "starter-python", "-s", "starter-java", "-c", "reference", "-c", "empty"]
    run += ["--limit", "3"]
    assert polyassay(*run).returncode == 0
    local = verdicts(polyassay)
    done = subprocess.run(
        command(*run, "--on", "ray"),
        cwd=tmp_path,
        env=environment(RAY_ADDRESS=cluster.address),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert verdicts(polyassay) == local
    assert len(local) == 12


@pytest.fixture
def slow_answers(polyassay: PolyAssay, tmp_path: Path) -> None:
    """A suite "s" of one task, and many right answers that sleep."""
    task = {
        "id": "add",
        "language": "python",
        "style": "function",
        "entry": "add",
        "tests": [{"name": "test_0", "code": "assert add(1, 2) == 3"}],
        "prompts": {"en": "Add two numbers"},
    }
    slow = "import time\ndef add(a, b):\n    time.sleep(0.3)\n    return a + b  # {}\n"
    answers = [
        {"task": "add", "tool": "t", "sample": n, "answer": slow.format(n)} for n in range(ANSWERS)
    ]
    write_jsonl(tmp_path / "tasks.jsonl", [task])
    write_jsonl(tmp_path / "answers.jsonl", answers)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "s")


def started(cluster: "Cluster", folder: Path, *flags: str) -> subprocess.Popen[bytes]:
    """A run on the cluster, which writes into "told"."""
    with (folder / "told").open("w") as told:
        return subprocess.Popen(
            command("run", *flags, "--on", "ray"),
            cwd=folder,
            env=environment(RAY_ADDRESS=cluster.address),
            stdout=told,
            stderr=told,
        )


def expect_all_passed(polyassay: PolyAssay, running: subprocess.Popen[bytes], told: Path) -> None:
    assert running.wait(timeout=300) == 0, told.read_text()
    found = verdicts(polyassay)
    assert len(found) == ANSWERS
    assert {outcome for outcome, _ in found.values()} == {"passed"}
    expect_no_sandboxes()


def expect_no_sandboxes() -> None:
    deadline = time.monotonic() + 60
    while sandboxes() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert sandboxes() == []


@pytest.mark.usefixtures("slow_answers")
def test_nodes_that_are_killed_lose_nothing_and_leave_nothing(
    cluster: "Cluster", polyassay: PolyAssay, tmp_path: Path
) -> None:
    running = started(cluster, tmp_path, "-s", "s", "-c", "answers.jsonl")
    for kill in range(KILLS):
        wait_for_sandboxes(running, least=2)
        time.sleep(0.5 * (kill + 1))
        node = next(iter(cluster.worker_nodes))
        cluster.remove_node(node, allow_graceful=False)  # SIGKILL
        add_node(cluster)
    expect_all_passed(polyassay, running, tmp_path / "told")


@pytest.mark.usefixtures("slow_answers")
def test_a_driver_that_is_killed_leaves_nothing_and_is_resumed_on_the_cluster(
    cluster: "Cluster", polyassay: PolyAssay, tmp_path: Path
) -> None:
    running = started(cluster, tmp_path, "-s", "s", "-c", "answers.jsonl")
    while not (before := kept_verdicts(tmp_path)):
        assert running.poll() is None, "it ended before it could be killed"
        time.sleep(0.1)
    running.kill()
    running.wait()
    expect_no_sandboxes()
    assert len(before) < ANSWERS
    resumed = started(cluster, tmp_path, "--resume", "latest")
    expect_all_passed(polyassay, resumed, tmp_path / "told")


def kept_verdicts(folder: Path) -> set[CandidateKey]:
    store = Store.at(folder / ".polyassay")
    try:
        return {key for run in store.runs() for key in store.judged_keys(run.id)}
    finally:
        store.close()


def wait_for_sandboxes(running: subprocess.Popen[bytes], least: int) -> None:
    deadline = time.monotonic() + 120
    while len(sandboxes()) < least and time.monotonic() < deadline:
        assert running.poll() is None, "it ended before a node could be killed"
        time.sleep(0.1)
