"""All of tests/unit/test_score_store.py, on a server."""

from unit.test_score_store import *  # noqa: F403
