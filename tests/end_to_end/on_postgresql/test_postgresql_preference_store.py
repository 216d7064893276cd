"""All of tests/unit/test_preference_store.py, on a server."""

from unit.test_preference_store import *  # noqa: F403
