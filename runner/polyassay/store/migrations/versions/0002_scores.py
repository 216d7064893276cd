"""Rubrics, graders' sessions and their key presses."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _candidate() -> list[sa.Column[Any]]:
    return [
        sa.Column("suite", sa.String(200), nullable=False),
        sa.Column("task", sa.String(200), nullable=False),
        sa.Column("tool", sa.String(200), nullable=False),
        sa.Column("prompt_language", sa.String(20), nullable=False),
        sa.Column("sample", sa.Integer, nullable=False),
    ]


def upgrade() -> None:
    op.create_table(
        "rubrics",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("grader", sa.String(200), nullable=False),
        sa.Column("rubric", sa.String(200), sa.ForeignKey("rubrics.name"), nullable=False),
        sa.Column("suite", sa.String(64), sa.ForeignKey("suites.checksum"), nullable=False),
        sa.Column("pool", sa.String(64), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("screen", sa.Integer, nullable=False),
        sa.Column("showing", sa.Integer, nullable=False),
        *_candidate(),
        sa.Column("code", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "grade_events",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("grader", sa.String(200), nullable=False),
        sa.Column("rubric", sa.String(200), sa.ForeignKey("rubrics.name"), nullable=False),
        sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id")),
        *_candidate(),
        sa.Column("showing", sa.Integer, nullable=False),
        sa.Column("dimension", sa.String(200), nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("undoes", sa.Integer, sa.ForeignKey("grade_events.id")),
    )
    op.create_index("ix_grade_events_rubric", "grade_events", ["rubric", "grader"])
