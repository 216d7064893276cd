"""A slot in an actor of Ray's: what runs on a node."""

from collections.abc import Mapping
from typing import Any

from polyassay.dispatch import Slot, SlotMaker
from polyassay.dispatch.messages import Done, Failed, PackedBatch, Ready, Unpacker
from polyassay.dispatch.node import NodeNeeds, prepare


class SlotActor:
    """Raises nothing: what goes wrong is an answer, and an exception would mean a lost actor."""

    def __init__(self, open_slot: SlotMaker, needs: NodeNeeds, jars: Mapping[str, Any]) -> None:
        self._open_slot, self._needs, self._jars = open_slot, needs, jars
        self._unpacker = Unpacker()
        self._slot: Slot | None = None

    def open(self) -> Ready | Failed:
        try:
            self._slot = self._open_slot(prepare(self._needs, self._fetch_jar))
        except BaseException as error:
            return Failed.of(error)
        return Ready()

    def _fetch_jar(self, checksum: str) -> bytes:
        import ray  # only a node that Ray runs on comes here

        content: bytes = ray.get(self._jars[checksum])
        return content

    def judge(self, work: PackedBatch) -> Done | Failed:
        assert self._slot is not None
        try:
            return Done(self._slot.judge(self._unpacker.unpack(work)))
        except BaseException as error:
            return Failed.of(error)

    def close(self) -> Failed | None:
        try:
            if self._slot is not None:
                self._slot.close()
        except BaseException as error:
            return Failed.of(error)
        return None
