"""All of tests/unit/test_store.py, on a server."""

from unit.test_store import *  # noqa: F403
