"""Measures many answers at once, each helper process at one task's answers at a time."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby, islice
from queue import SimpleQueue

from polyassay.helper_process import HelperEnded, HelperProcess
from polyassay.measures.measuring.request import MeasuredSample, ToMeasure, same_references

DEADLINE = 120.0  # wall seconds an answer; the helper's own limit of CPU time is far below
BATCH = 50  # answers a request
AHEAD = 4  # batches that wait for each helper
KEPT = ("NLTK_DATA",)  # where the user may have WordNet


class Measurer:
    """Owns the helper processes; they start when the first answers come."""

    def __init__(self, jobs: int, deadline: float = DEADLINE) -> None:
        self._jobs = max(1, jobs)
        self._deadline = deadline
        self._idle: SimpleQueue[HelperProcess | None] = SimpleQueue()
        for _ in range(self._jobs):
            self._idle.put(None)

    def __enter__(self) -> "Measurer":
        return self

    def __exit__(self, *error: object) -> None:
        for _ in range(self._jobs):
            if helper := self._idle.get():
                helper.close()

    def measure(self, items: Iterable[ToMeasure]) -> Iterator[MeasuredSample]:
        """In the order of the items, of which only a few batches are held at a time."""
        batches = self._batches(items)
        with ThreadPoolExecutor(self._jobs) as pool:
            waiting: list[Future[list[MeasuredSample]]] = []
            while True:
                room = self._jobs * AHEAD - len(waiting)
                waiting += [pool.submit(self._batch, batch) for batch in islice(batches, room)]
                if not waiting:
                    return
                yield from waiting.pop(0).result()

    @staticmethod
    def _batches(items: Iterable[ToMeasure]) -> Iterator[list[ToMeasure]]:
        def shared(item: ToMeasure) -> object:
            return item.references, item.language, item.method, item.characters

        for _, some in groupby(items, key=shared):
            while batch := list(islice(some, BATCH)):
                yield batch

    def _batch(self, batch: Sequence[ToMeasure]) -> list[MeasuredSample]:
        """A helper that an answer ended is replaced, and the next answer goes on."""
        measured: list[MeasuredSample] = []
        helper = self._idle.get()
        try:
            while len(measured) < len(batch):
                helper = helper or self._start()
                try:
                    helper.send(same_references(batch[len(measured) :]))
                    for item in batch[len(measured) :]:
                        measured.append(_sample(item, helper.receive()))
                except HelperEnded as end:
                    helper.close()
                    helper = None
                    key = batch[len(measured)].key
                    measured.append(MeasuredSample(key, {}, notes=(f"not measured: {end}",)))
        finally:
            self._idle.put(helper)
        return measured

    def _start(self) -> HelperProcess:
        env = {name: os.environ[name] for name in KEPT if name in os.environ}
        return HelperProcess("polyassay.measures.measuring.server", self._deadline, env)


def _sample(item: ToMeasure, reply: bytes) -> MeasuredSample:
    try:
        found = json.loads(reply)
        return MeasuredSample(
            item.key,
            found["values"],
            found["counts"],
            tuple(found["tags"]),
            tuple(found["notes"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise HelperEnded("the answer's reader broke off") from error
