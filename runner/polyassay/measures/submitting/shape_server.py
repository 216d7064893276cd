"""The helper process that finds out shapes: one code after the other, within limits for each."""

from contextlib import suppress

from polyassay.helper_process import MAX_REQUEST, limit_cpu, limit_process
from polyassay.measures.submitting.shape import shape
from polyassay_harness.wire import frames

CPU_SECONDS = 5.0  # a code


def serve() -> None:
    limit_process()
    with suppress(frames.StreamEnded):
        while True:
            request = frames.receive(0, limit=MAX_REQUEST)
            limit_cpu(CPU_SECONDS)
            try:
                found = shape(request["code"], request["language"], request["entry"])
            except MemoryError:
                found = None
            limit_cpu(0)
            frames.send(1, {"shape": found})
