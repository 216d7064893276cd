"""Preferences, kinds of graders, calibration, and rows of scores that were left out."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column(
        "sessions", sa.Column("kind", sa.String(20), nullable=False, server_default="scores")
    )
    op.add_column("grade_events", sa.Column("seconds", sa.Float))
    op.add_column("grade_events", sa.Column("token", sa.String(64)))
    op.create_index("ix_grade_events_token", "grade_events", ["token"], unique=True)
    op.create_table(
        "preference_events",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("grader", sa.String(200), nullable=False),
        sa.Column("rubric", sa.String(200), sa.ForeignKey("rubrics.name"), nullable=False),
        sa.Column("session", sa.String(32), sa.ForeignKey("sessions.id")),
        sa.Column("suite", sa.String(200), nullable=False),
        sa.Column("task", sa.String(200), nullable=False),
        sa.Column("prompt_language", sa.String(20), nullable=False),
        sa.Column("tool_a", sa.String(200), nullable=False),
        sa.Column("sample_a", sa.Integer, nullable=False),
        sa.Column("tool_b", sa.String(200), nullable=False),
        sa.Column("sample_b", sa.Integer, nullable=False),
        sa.Column("showing", sa.Integer, nullable=False),
        sa.Column("dimension", sa.String(200), nullable=False),
        sa.Column("choice", sa.String(20), nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("undoes", sa.Integer, sa.ForeignKey("preference_events.id")),
        sa.Column("seconds", sa.Float),
        sa.Column("token", sa.String(64)),
    )
    op.create_index("ix_preference_events_rubric", "preference_events", ["rubric", "grader"])
    op.create_index("ix_preference_events_token", "preference_events", ["token"], unique=True)
    op.create_table(
        "graders",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_table(
        "calibration",
        sa.Column("rubric", sa.String(200), sa.ForeignKey("rubrics.name"), primary_key=True),
        sa.Column("suite", sa.String(200), primary_key=True),
        sa.Column("task", sa.String(200), primary_key=True),
        sa.Column("prompt_language", sa.String(20), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("code", sa.LargeBinary, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("reason", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "left_out_scores",
        sa.Column("rubric", sa.String(200), sa.ForeignKey("rubrics.name"), primary_key=True),
        sa.Column("source", sa.String(200), primary_key=True),
        sa.Column("row", sa.Integer, primary_key=True),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("fields", sa.Text, nullable=False),
    )
