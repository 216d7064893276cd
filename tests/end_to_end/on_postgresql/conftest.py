"""The tests of the store once more, each with an empty database on a server."""

import pytest

import postgres


@pytest.fixture
def store_url(postgres_server: postgres.Server) -> str:
    return postgres_server.new_database()
