"""How answers did when they were judged again under other conditions."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "shaken",
        sa.Column("run", sa.String(32), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("suite", sa.String(200), primary_key=True),
        sa.Column("task", sa.String(200), primary_key=True),
        sa.Column("tool", sa.String(200), primary_key=True),
        sa.Column("prompt_language", sa.String(20), primary_key=True),
        sa.Column("sample", sa.Integer, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("differs", sa.Boolean, nullable=False),
    )
