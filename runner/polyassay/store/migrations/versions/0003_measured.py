"""What is measured of answers besides their verdicts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "measured",
        sa.Column("run", sa.String(32), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("suite", sa.String(200), primary_key=True),
        sa.Column("task", sa.String(200), primary_key=True),
        sa.Column("tool", sa.String(200), primary_key=True),
        sa.Column("prompt_language", sa.String(20), primary_key=True),
        sa.Column("sample", sa.Integer, primary_key=True),
        sa.Column("rules", sa.String(80), primary_key=True),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
