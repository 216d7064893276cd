"""All of tests/unit/test_measured_answers.py, on a server."""

from unit.test_measured_answers import *  # noqa: F403
