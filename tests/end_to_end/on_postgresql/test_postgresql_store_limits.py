"""All of tests/unit/test_store_limits.py, on a server."""

from unit.test_store_limits import *  # noqa: F403
