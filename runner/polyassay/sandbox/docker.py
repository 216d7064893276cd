"""Guests in containers: another launcher for the same supervisor and the same frames.

With all capabilities dropped nothing can be nested, so a container serves one candidate. The
engine must be this machine's own, because paths are bound into containers.
"""

import json
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import LogConfig, Mount, Ulimit

from polyassay.errors import PolyAssayError
from polyassay.sandbox import SCRATCH, Box, Guest, NotStarted
from polyassay.sandbox.demultiplex import AttachedSocket
from polyassay.sandbox.guest import Ending, FrameGuest
from polyassay.sandbox.linux.handle import ProcessHandle
from polyassay.sandbox.linux.namespace import ending_of
from polyassay.sandbox.linux.processes import (
    ProcessUsage,
    cpu_seconds,
    family,
    shared_out_memory,
    start_time,
    usage,
)
from polyassay.sandbox.linux.rlimits import data_bytes, environment
from polyassay.sandbox.linux.seccomp import docker_profile
from polyassay.sandbox.linux.watch import watched
from polyassay_harness.process.own_time import Waits, waits_for_a_core

IMAGE = "polyassay-guest"
GUEST_LABEL = "polyassay.guest"  # of images that were made for guests
LABEL = "polyassay.runner"  # "PID START": who started it, and when, in the kernel's ticks
_API_SECONDS = 120
_TMP_MB = 64
_SPARE_MB = 192  # of the engine's limit, for what ours does not mean: /tmp, /dev/shm, the kernel's
_FILES = 65536
_CORES = min(os.cpu_count() or 1, 4)


class Docker:
    name = "docker"
    nests = False
    fixes_layout = False  # the engine decides

    def __init__(self, image: str = "") -> None:
        self._image = image or os.environ.get("POLYASSAY_DOCKER_IMAGE", IMAGE)
        self._api = connect()
        try:
            self._api.inspect_image(self._image)
        except ImageNotFound as error:
            raise PolyAssayError(
                f'Docker has no image "{self._image}".',
                hint="Make it with `docker build -t polyassay-guest tools/guest-image`, or without "
                "a registry with `tools/docker-image`.",
            ) from error
        remove_orphans(self._api)

    def __reduce__(self) -> tuple[type["Docker"], tuple[str]]:
        """Sent to another process, it is made anew there."""
        return Docker, (self._image,)

    def start(self, box: Box) -> Guest:
        try:
            container = self._create(box)
        except DockerException as error:
            raise NotStarted(f"Docker made no container: {error}") from error
        try:
            # Attached first, so that nothing of what it says is lost.
            asked = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            attached = self._api.attach_socket(container, params=asked)
            self._api.start(container)
            tree = _Container(self._api, container)
        except DockerException as error:
            _remove(self._api, container)
            raise NotStarted(f"Docker did not start the container: {error}") from error
        return watched(FrameGuest(AttachedSocket(attached), tree, box.limits))

    def strengths(self) -> list[str]:
        return ["the engine's control groups limit memory and processes"]

    def weaknesses(self) -> list[str]:
        rootless = any("rootless" in option for option in self._api.info()["SecurityOptions"])
        if rootless:
            return []
        return ["The Docker engine runs as root: who may use its socket is as good as root."]

    def _create(self, box: Box) -> str:
        user = (1 << 30) + secrets.randbelow(1 << 30)
        created = self._api.create_container(
            self._image,
            list(box.argv),
            user=f"{user}:{user}",
            hostname="polyassay",
            environment=environment(box),
            working_dir=SCRATCH,
            stdin_open=True,
            network_disabled=True,
            labels={LABEL: f"{os.getpid()} {start_time(os.getpid())}"},
            host_config=self._api.create_host_config(**_confinement(box, user)),
        )
        return str(created["Id"])


def connect() -> docker.APIClient:
    try:
        api = docker.APIClient(timeout=_API_SECONDS, **docker.utils.kwargs_from_env())
        api.ping()
    except DockerException as error:
        raise PolyAssayError(
            f"The Docker engine does not answer: {error}.",
            hint="Start it, and make sure that you may use its socket.",
        ) from error
    return api


def remove_orphans(api: docker.APIClient, dry_run: bool = False) -> int:
    """Removes the containers of runners that are gone; tells how many there were."""
    found = 0
    for container in api.containers(all=True, filters={"label": LABEL}):
        pid, _, started = container["Labels"][LABEL].partition(" ")
        if start_time(int(pid)) != int(started):
            found += 1
            if not dry_run:
                _remove(api, container["Id"])
    return found


def remove_old_images(api: docker.APIClient, dry_run: bool = False) -> int:
    """Removes images for guests that lost their name to newer ones; tells how many there were."""
    old = api.images(filters={"dangling": True, "label": GUEST_LABEL})
    for image in () if dry_run else old:
        with suppress(DockerException):  # a container of somebody's may be made of it
            api.remove_image(image["Id"])
    return len(old)


def _confinement(box: Box, user: int) -> dict[str, object]:
    limits = box.limits
    memory = limits.memory_mb + limits.disk_mb + _SPARE_MB << 20
    # The engine gives it the mode of the folder below, so that its owner must be the guest.
    scratch = f"nosuid,nodev,exec,uid={user},gid={user},nr_inodes={_FILES},size="
    return {
        "network_mode": "none",
        "ipc_mode": "private",
        "read_only": True,
        "init": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={json.dumps(docker_profile())}"],
        "pids_limit": limits.processes,
        "mem_limit": memory,
        "memswap_limit": memory,
        "nano_cpus": _CORES * 10**9,
        "shm_size": _TMP_MB << 20,
        "tmpfs": {
            SCRATCH: f"{scratch}{limits.disk_mb}m",
            "/tmp": f"{scratch}{_TMP_MB}m",  # noqa: S108
        },
        "mounts": [Mount(str(p), str(p), type="bind", read_only=True) for p in box.readable],
        "ulimits": [
            Ulimit(name=name, soft=value, hard=value)
            for name, value in (
                ("core", 0),
                ("nofile", limits.open_files),
                ("fsize", limits.disk_mb << 20),
                ("data", data_bytes(limits)),
            )
        ],
        # What a guest says must not pile up in the engine's own log files.
        "log_config": LogConfig(type="none"),
    }


class _Container:
    """All processes of one container, seen from outside."""

    def __init__(self, api: docker.APIClient, container: str) -> None:
        self._api = api
        self._id = container
        self._first: ProcessHandle | None = None
        first = int(api.inspect_container(container)["State"]["Pid"])
        try:
            self._first = ProcessHandle(first) if first else None
        except ProcessLookupError:
            return  # it has ended already

    def usage(self) -> ProcessUsage:
        return usage(self._first.pid) if self._first else ProcessUsage()

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._first.pid) if self._first else 0.0

    def waits(self) -> Waits:
        return waits_for_a_core(family(self._first.pid)) if self._first else {}

    def over_memory(self, limit: int) -> bool:
        return self._first is not None and shared_out_memory(self._first.pid) > limit

    def ran_out_of_memory(self) -> bool:
        return False  # the engine tells when it has ended

    def kill(self) -> None:
        try:
            if self._first:
                self._first.kill()
        except PermissionError:
            with suppress(APIError):  # it has ended meanwhile
                self._api.kill(self._id)

    def ends_within(self, seconds: float) -> bool:
        return self._first is None or self._first.ends_within(seconds)

    def wait(self) -> Ending:
        if self._first:
            self._first.wait_and_close()
        try:
            status = int(self._api.wait(self._id, timeout=_API_SECONDS)["StatusCode"])
            state = self._api.inspect_container(self._id)["State"]
        except NotFound:
            return Ending("removed by somebody else", killed=True)
        except OSError:  # the SDK's way to say that no answer came in time; left for `polyassay gc`
            return Ending("killed, but not ended by the engine")
        _remove(self._api, self._id)
        return replace(ending_of(status), out_of_memory=bool(state["OOMKilled"]))


def _remove(api: docker.APIClient, container: str) -> None:
    """Removes it, unless somebody else has done so or is about to."""
    try:
        api.remove_container(container, v=True, force=True)
    except APIError as error:
        if error.status_code not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
            raise
