"""All of tests/unit/test_kept_samples.py, on a server."""

from unit.test_kept_samples import *  # noqa: F403
