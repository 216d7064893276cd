"""Ray clusters of nodes with one CPU each, all on this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ray.cluster_utils import Cluster

_STARTS = 3  # Ray gives a node 30 seconds, which a busy machine may take more than once


@contextmanager
def cluster(nodes: int) -> Iterator[Cluster]:
    """RAY_ADDRESS has its address meanwhile."""
    made = Cluster()
    try:
        for _ in range(nodes):
            add_node(made)
        os.environ["RAY_ADDRESS"] = made.address
        yield made
    finally:
        os.environ.pop("RAY_ADDRESS", None)
        made.shutdown()


def add_node(made: Cluster) -> None:
    more = {} if made.head_node else {"include_dashboard": False}
    for left in reversed(range(_STARTS)):
        try:
            made.add_node(num_cpus=1, object_store_memory=80 << 20, **more)
            return
        except Exception:
            if not left:
                raise
