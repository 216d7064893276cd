"""All of tests/unit/test_store_migrations.py, on a server."""

from unit.test_store_migrations import *  # noqa: F403
