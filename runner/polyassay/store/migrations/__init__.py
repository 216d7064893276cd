"""Brings a store's schema up to date, one step after the other (alembic)."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(
    connection: Connection, progress: Callable[[str], None] = lambda _: None, to: str = "head"
) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes |= {"connection": connection, "progress": progress}
    command.upgrade(config, to)
