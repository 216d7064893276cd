"""All of tests/unit/test_housekeeping.py, on a server."""

from unit.test_housekeeping import *  # noqa: F403
