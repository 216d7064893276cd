"""All of tests/unit/test_moving_runs.py, from a server to a file."""

from unit.test_moving_runs import *  # noqa: F403
