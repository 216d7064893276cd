"""Measures what a command and everything below it use while it runs."""

import os
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker

from polyassay.sandbox.docker import LABEL

PAGE_KB = 4
_IDS = re.compile(r"[0-9a-f]{64}")


@dataclass
class Peak:
    processes: int = 0  # threads count as well, as they do for the kernel's limits
    rss_mb: float = 0.0
    disk_mb: float = 0.0
    crowd: float = 1.0  # processes that wait for each processor; one where nothing else runs


class Meter:
    """Looks a few times a second; of containers, those count that the command has started."""

    def __init__(self, pid: int, folder: Path, containers: bool) -> None:
        self.peak = Peak()
        self._pid = pid
        self._folder = folder
        self._engine = docker.from_env().api if containers else None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> Peak:
        self._stop.set()
        self._thread.join()
        return self.peak

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            self.peak.crowd = max(self.peak.crowd, os.getloadavg()[0] / (os.cpu_count() or 1))
            parents = _parents()
            pids = _below(self._pid, parents)
            if self._engine:
                own = self._containers(self._engine)
                pids |= {pid for pid in parents if own & set(_IDS.findall(_read(pid, "cgroup")))}
            threads = rss = 0
            for pid in pids:
                statm, stat = _read(pid, "statm"), _read(pid, "stat")
                if statm and stat:
                    rss += int(statm.split()[1]) * PAGE_KB
                    threads += int(stat.rpartition(")")[2].split()[17])
            self.peak.processes = max(self.peak.processes, threads)
            self.peak.rss_mb = max(self.peak.rss_mb, rss / 1024)
            self.peak.disk_mb = max(self.peak.disk_mb, size_mb(self._folder))

    def _containers(self, engine: docker.APIClient) -> set[str]:
        """By their ids, which are in the control groups of their processes."""
        running = engine.containers(filters={"label": LABEL})
        return {each["Id"] for each in running if self._started(each)}

    def _started(self, container: dict[str, Any]) -> bool:
        return str(container["Labels"][LABEL]).split()[0] == str(self._pid)


def size_mb(folder: Path) -> float:
    total = 0
    for place, _, names in os.walk(folder):  # what is gone meanwhile is passed over
        for name in names:
            with suppress(OSError):
                total += Path(place, name).lstat().st_blocks * 512
    return total / 1e6


def _parents() -> dict[int, int]:
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        stat = _read(int(place.name), "stat")
        if stat:
            found[int(place.name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def _below(root: int, parents: dict[int, int]) -> set[int]:
    members = {root}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in members} - members
        members |= more
        grown = bool(more)
    return members


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    except OSError:
        return ""
