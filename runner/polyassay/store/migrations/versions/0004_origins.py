"""Where an answer comes from: model, settings, tokens, cost."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("candidates", sa.Column("origin", sa.Text))
