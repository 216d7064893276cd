"""All of tests/unit/test_shaken.py, on a server."""

from unit.test_shaken import *  # noqa: F403
