"""What scores need in short rows of their own, and runs that are numbered.

A store may hold millions of verdicts, so rows are moved in pages, and the caller hears how far
that is.
"""

import json
from typing import Any, cast

import sqlalchemy as sa
from alembic import context, op

revision = "0006"
down_revision = "0005"

PAGE = 20_000
_KEY = ("run", "suite", "task", "tool", "prompt_language", "sample")
_FIGURES = ("outcome", "passed", "total", "judged", "seconds", "cpu_seconds")
_RECORDED = ("flags", "sets", "solved_by", "measures")
# How a body begins to end in which there is nothing to record. Text in a body cannot look like
# it, because a quote in JSON's text has a backslash before it.
_NOTHING = ('%"flags": [], "sets": {}, "solved_by": null, "program": {%', '%, "measures": {}}')


def upgrade() -> None:
    _number_runs()
    op.create_index("ix_candidates_position", "candidates", ["run", "position"])
    op.rename_table("verdicts", "old_verdicts")
    if op.get_bind().dialect.name == "postgresql":  # whose constraints keep their names
        for name in ("verdicts_pkey", "verdicts_run_fkey"):
            op.execute(f"ALTER TABLE old_verdicts RENAME CONSTRAINT {name} TO old_{name}")
    op.create_table(
        "verdicts",
        *_key(),
        sa.Column("outcome", _text(20), nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("judged", _text(20), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("cpu_seconds", sa.Float, nullable=False),
        sa.Column("recorded", sa.Text),
        sa.Column("failure", _text(40)),
        sa.Column("taxonomy", sa.Integer, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )
    op.create_table("verdict_bodies", *_key(), sa.Column("body", sa.Text, nullable=False))
    _move_verdicts()
    op.drop_table("old_verdicts")


def _text(length: int) -> sa.types.TypeEngine[Any]:
    ordered = sa.String(length, collation="C")  # by the characters' numbers
    return sa.String(length).with_variant(ordered, "postgresql")


def _key() -> list[sa.Column[Any]]:
    names = {"run": 32, "suite": 200, "task": 200, "tool": 200, "prompt_language": 20}
    return [
        sa.Column(
            name,
            _text(length),
            *([sa.ForeignKey("runs.id")] if name == "run" else []),
            primary_key=True,
        )
        for name, length in names.items()
    ] + [sa.Column("sample", sa.Integer, primary_key=True)]


def _number_runs() -> None:
    op.add_column("runs", sa.Column("number", sa.Integer))
    runs = sa.table("runs", sa.column("id"), sa.column("created"), sa.column("number"))
    database = op.get_bind()
    ids = database.execute(sa.select(runs.c.id).order_by(runs.c.created, runs.c.id)).scalars().all()
    for number, one in enumerate(ids, start=1):
        database.execute(runs.update().where(runs.c.id == one).values(number=number))
    op.create_index("ix_runs_number", "runs", ["number"], unique=True)


def _move_verdicts() -> None:
    progress = context.config.attributes.get("progress", lambda _: None)
    database = op.get_bind()
    old = sa.table("old_verdicts", *map(sa.column, (*_KEY, *_FIGURES, "body")))
    key = sa.tuple_(*(old.c[name] for name in _KEY))
    total = database.execute(sa.select(sa.func.count()).select_from(old)).scalar_one()
    order = [old.c[name] for name in _KEY]
    moved, after = 0, cast("sa.ColumnElement[bool]", sa.true())
    while moved < total:
        page = sa.select(*order).where(after).order_by(*order).limit(PAGE)
        keys = database.execute(page).all()
        last = key <= sa.tuple_(*keys[-1])
        _move_page(database, old, sa.and_(after, last))
        moved, after = moved + len(keys), key > sa.tuple_(*keys[-1])
        if total > PAGE:
            progress(f"Bringing the store up to date: {moved:,} of {total:,} verdicts.")


def _move_page(database: sa.Connection, old: sa.TableClause, where: Any) -> None:
    verdicts = sa.table("verdicts", *map(sa.column, (*_KEY, *_FIGURES, "recorded")))
    bodies = sa.table("verdict_bodies", *map(sa.column, (*_KEY, "body")))
    for table, names in ((verdicts, (*_KEY, *_FIGURES)), (bodies, (*_KEY, "body"))):
        found = sa.select(*(old.c[name] for name in names)).where(where)
        database.execute(table.insert().from_select(names, found))
    nothing = sa.and_(*(old.c.body.like(pattern) for pattern in _NOTHING))
    some = sa.select(*(old.c[name] for name in (*_KEY, "body"))).where(where, sa.not_(nothing))
    this = sa.and_(*(verdicts.c[name] == sa.bindparam(f"its_{name}") for name in _KEY))
    rows = [
        {"recorded": text} | {f"its_{name}": row[name] for name in _KEY}
        for row in database.execute(some).mappings()
        if (text := _recorded(json.loads(row["body"])))
    ]
    if rows:
        database.execute(verdicts.update().where(this), rows)


def _recorded(body: dict[str, Any]) -> str | None:
    found = {name: body[name] for name in _RECORDED if body.get(name)}
    return json.dumps(found) if found else None
