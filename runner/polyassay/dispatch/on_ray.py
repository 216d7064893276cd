"""Slots that are actors of a Ray cluster, on however many machines.

The command is Ray's driver: it schedules, stores and shows progress as with local slots. An actor
has one CPU of its node, and keeps its sessions as long as it lives. It has a few batches at a time
and no more, so that neither the driver nor a node piles anything up. An actor that is lost, alone
or with its node, is replaced as soon as the cluster has a CPU for another.
"""

import logging
import os
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from polyassay.dispatch import Dispatcher, SlotMaker
from polyassay.dispatch.assignments import BATCHES_AHEAD, Assignments
from polyassay.dispatch.messages import Done, Failed, Packer, Ready
from polyassay.dispatch.node import NodeNeeds, needs_of
from polyassay.dispatch.ray_actor import SlotActor
from polyassay.dispatch.scheduling import Batch, Schedule
from polyassay.environments.suite_jars import place_of
from polyassay.errors import PolyAssayError
from polyassay.harness import RunSettings
from polyassay.model import Suite, Verdict

try:
    import ray
    from ray.exceptions import RayError
except ImportError:
    raise PolyAssayError(
        "Ray is not installed.", hint="Install it with `pip install 'polyassay[ray]'`."
    ) from None

RAY = "ray"
GLANCE_SECONDS = 5.0  # between two looks at whether any slot was opened
OPEN_SECONDS = 1800.0  # until the first slot is open; a node may have to make environments
CLOSE_SECONDS = 60.0
REOPEN_SECONDS = (
    10.0  # for Ray to notice that a node is gone, before it is asked for an actor again
)


class RayCluster:
    """A connection to a cluster that is there already."""

    def __init__(self, on: str) -> None:
        """On "ray" the cluster is RAY_ADDRESS', else this machine's; "ray://…" is a Ray Client."""
        address = os.environ.get("RAY_ADDRESS", "auto") if on == RAY else on
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
        except (ConnectionError, RuntimeError, ValueError) as error:
            lines = str(error).strip().splitlines() or ["no answer"]
            if lines[0].endswith(":"):  # a traceback from there follows
                lines[0] += f" {lines[-1].strip()}"
            raise PolyAssayError(
                f"No Ray cluster answers at {address}: {lines[0]}",
                hint="Start one with `ray start --head`, name it with RAY_ADDRESS or "
                "--on ray://HOST:10001, or leave --on out.",
            ) from None

    @property
    def cpus(self) -> int:
        """How many slots it has room for."""
        return max(int(ray.cluster_resources().get("CPU", 0)), 1)

    def dispatcher(self, suites: Mapping[str, Suite], versions: Mapping[str, str]) -> Dispatcher:
        return partial(_run, suites, versions)

    def close(self) -> None:
        ray.shutdown()


def _run(
    suites: Mapping[str, Suite],
    versions: Mapping[str, str],
    schedule: Schedule,
    open_slot: SlotMaker,
    settings: RunSettings,
) -> "_RaySlots":
    needs = needs_of(settings, suites, versions)
    jars = {sha: ray.put(place_of(settings.home, sha).read_bytes()) for sha in needs.jars}
    return _RaySlots(schedule, open_slot, needs, jars)


class _RaySlot:
    """The driver's end of one actor; its answers come in the order of the calls."""

    def __init__(self, number: int, open_slot: SlotMaker, needs: NodeNeeds, jars: Any) -> None:
        self.number = number
        self.ready = False
        self._packer = Packer()
        # Neither is tried again by Ray: `assignments.py` does that, alone and within bounds.
        options = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0}
        self._actor = ray.remote(**options)(SlotActor).remote(open_slot, needs, jars)
        self.calls: deque[Any] = deque([self._actor.open.remote()])

    def send(self, batch: Batch) -> None:
        self.calls.append(self._actor.judge.remote(self._packer.pack(batch)))

    def stop(self) -> None:
        self.calls.append(self._actor.close.remote())

    def end(self) -> None:
        with suppress(RayError, ValueError):
            ray.kill(self._actor)


class _RaySlots:
    """All actors, their answers, and what each is to do."""

    def __init__(
        self, schedule: Schedule, open_slot: SlotMaker, needs: NodeNeeds, jars: Mapping[str, Any]
    ) -> None:
        self._assignments = Assignments(schedule)
        self._made_from = open_slot, needs, jars
        self._slots: dict[int, _RaySlot] = {}
        self._reopen_at: dict[int, float] = {}
        self._any_ready_by = time.monotonic() + OPEN_SECONDS
        self.error: BaseException | None = None

    @property
    def under_way(self) -> bool:
        return self._assignments.under_way

    def start(self) -> None:
        """Asks for all actors; each gets work when it is up, for which a cluster may lack CPUs."""
        if self.under_way:
            self._slots = {
                number: _RaySlot(number, *self._made_from) for number in self._assignments.slots
            }

    def receive(self, timeout: float | None) -> list[Verdict]:
        self._reopen()
        waiting = {slot.calls[0]: slot for slot in self._slots.values() if slot.calls}
        wait = GLANCE_SECONDS if timeout is None else min(timeout, GLANCE_SECONDS)
        if not waiting:  # all are lost, and not open again yet
            time.sleep(min(wait, 1.0))
            return []
        ready, _ = ray.wait(list(waiting), timeout=wait)
        if ready:
            ready, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0)
        else:
            self._give_up_where_none_opens()
        verdicts: list[Verdict] = []
        for call in ready:
            verdicts += self._take(waiting[call])
        return verdicts

    def finish(self) -> None:
        ready = [slot for slot in self._slots.values() if slot.ready]
        for slot in ready:
            slot.stop()
        for slot in ready:
            with suppress(RayError):
                message = ray.get(slot.calls.popleft(), timeout=CLOSE_SECONDS)
                if isinstance(message, Failed):
                    raise message.again()

    def close(self) -> None:
        for slot in self._slots.values():
            slot.end()

    def _take(self, slot: _RaySlot) -> list[Verdict]:
        """The answer to the slot's first call."""
        try:
            message: Ready | Done | Failed = ray.get(slot.calls.popleft())
        except RayError as error:
            self._replace(slot, str(error).strip().splitlines()[0])
            return []
        verdicts: list[Verdict] = []
        if isinstance(message, Failed):
            self.error = message.again()
            return []
        if isinstance(message, Done):
            self._assignments.done(slot.number)
            verdicts += message.verdicts
        else:
            slot.ready = True
            self._assignments.started()
        self._give(slot)
        return verdicts

    def _give(self, slot: _RaySlot) -> None:
        for _ in range(BATCHES_AHEAD):
            batch = self._assignments.take(slot.number)
            if batch is None:
                return
            slot.send(batch)

    def _replace(self, slot: _RaySlot, why: str) -> None:
        slot.end()
        try:
            self._assignments.lost(slot.number, why, was_ready=slot.ready)
        except PolyAssayError as error:
            self.error = error
        del self._slots[slot.number]
        pause = 0.0 if slot.ready else REOPEN_SECONDS
        self._reopen_at[slot.number] = time.monotonic() + pause

    def _reopen(self) -> None:
        """Opens slots in place of lost ones; those that ran out of work get what these had."""
        for slot in self._slots.values():
            if slot.ready and not slot.calls:
                self._give(slot)
        for number, when in list(self._reopen_at.items()):
            if time.monotonic() >= when:
                del self._reopen_at[number]
                self._slots[number] = _RaySlot(number, *self._made_from)

    def _give_up_where_none_opens(self) -> None:
        if any(slot.ready for slot in self._slots.values()):
            self._any_ready_by = time.monotonic() + OPEN_SECONDS
        elif time.monotonic() > self._any_ready_by:
            self.error = PolyAssayError(
                f"The Ray cluster opened no slot within {OPEN_SECONDS / 60:.0f} minutes.",
                hint="Each slot needs one free CPU: see `ray status`; then `run --resume`.",
            )
