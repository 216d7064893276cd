"""Suites, runs, candidates and verdicts."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _key() -> list[sa.Column[Any]]:
    return [
        sa.Column("run", sa.String(32), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("suite", sa.String(200), primary_key=True),
        sa.Column("task", sa.String(200), primary_key=True),
        sa.Column("tool", sa.String(200), primary_key=True),
        sa.Column("prompt_language", sa.String(20), primary_key=True),
        sa.Column("sample", sa.Integer, primary_key=True),
    ]


def upgrade() -> None:
    op.create_table(
        "suites",
        sa.Column("checksum", sa.String(64), primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("provenance", sa.Text, nullable=False),
    )
    op.create_table(
        "candidates",
        *_key(),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("form", sa.String(20), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "verdicts",
        *_key(),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("judged", sa.String(20), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("cpu_seconds", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
