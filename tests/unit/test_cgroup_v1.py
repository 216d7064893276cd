"""Control groups of version 1, on folders that look like the kernel's."""

from pathlib import Path

import pytest

from polyassay.sandbox import BoxLimits
from polyassay.sandbox.linux import cgroup_v1
from polyassay.sandbox.linux.cgroup import memory_limit, process_limit

CONTROLLERS = ("memory", "pids", "cpuacct")


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One tree a controller; this process is in its group `/job/a`, mounted from `/job` on."""
    groups, mounts = [], []
    for number, name in enumerate(CONTROLLERS):
        (tmp_path / name / "a").mkdir(parents=True)
        groups.append(f"{number}:{name},other:/job/a")
        mounts.append(f"30 1 0:{number} /job {tmp_path / name} rw - cgroup cgroup rw,{name}")
    (tmp_path / "own").write_text("0::/elsewhere\n" + "\n".join(groups) + "\n")
    (tmp_path / "mounts").write_text(
        "20 1 0:9 / /proc rw - proc proc rw\n" + "\n".join(mounts) + "\n"
    )
    monkeypatch.setattr(cgroup_v1, "_OWN", tmp_path / "own")
    monkeypatch.setattr(cgroup_v1, "_MOUNTS", tmp_path / "mounts")
    return tmp_path


def test_a_group_is_made_in_every_tree_and_limited(trees: Path) -> None:
    groups = cgroup_v1.usable()
    assert groups is not None and groups.version == 1
    assert groups.memory == trees / "memory" / "a"
    limits = BoxLimits(memory_mb=100)
    group = groups.new(limits)
    assert isinstance(group, cgroup_v1.ControlGroupV1)
    memory = str(memory_limit(limits))
    assert (group.memory / "memory.limit_in_bytes").read_text() == memory
    assert (group.memory / "memory.memsw.limit_in_bytes").read_text() == memory
    assert (group.memory / "memory.oom_control").read_text() == "1"
    assert (group.pids / "pids.max").read_text() == str(process_limit(limits))
    joined = group.joined(["true"])
    assert [str(folder / "cgroup.procs") in joined for folder in group._folders()] == [True] * 3


def test_what_the_kernel_counts_is_read(tmp_path: Path) -> None:
    group = cgroup_v1.ControlGroupV1(tmp_path, tmp_path, tmp_path)
    assert (group.cpu_seconds(), group.kernel_bytes()) == (0.0, 0), "nothing is there to read"
    assert not group.ran_out_of_memory()
    (tmp_path / "cpuacct.usage").write_text("2500000000\n")
    (tmp_path / "memory.kmem.usage_in_bytes").write_text("1000\n")
    (tmp_path / "memory.kmem.tcp.usage_in_bytes").write_text("24\n")
    assert (group.cpu_seconds(), group.kernel_bytes()) == (2.5, 1024)
    for state in ("under_oom 1\noom_kill 0\n", "under_oom 0\noom_kill 2\n"):
        (tmp_path / "memory.oom_control").write_text(f"oom_kill_disable 1\n{state}")
        assert group.ran_out_of_memory()


def test_groups_of_runners_that_are_gone_are_removed(trees: Path) -> None:
    orphan = trees / "pids" / "a" / "polyassay-999999999-1"
    orphan.mkdir()
    groups = cgroup_v1.usable()
    assert groups is not None and orphan.exists()
    groups.tidy()
    assert not orphan.exists()


def test_half_a_group_is_removed(trees: Path) -> None:
    groups = cgroup_v1.usable()
    assert groups is not None
    (trees / "cpuacct" / "a").rmdir()
    with pytest.raises(OSError, match="cpuacct"):
        groups.new(BoxLimits())
    assert list((trees / "memory" / "a").iterdir()) == []


def test_a_tree_that_is_missing_or_closed_is_of_no_use(trees: Path) -> None:
    (trees / "pids" / "a").rmdir()
    assert cgroup_v1.usable() is None
    (trees / "mounts").write_text("")
    assert cgroup_v1.usable() is None
