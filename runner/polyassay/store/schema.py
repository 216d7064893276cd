"""The tables. What changes here needs a step in migrations/versions."""

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

from polyassay.store.columns import Float, HostileText, Integer, String

HEAD = "0007"  # the newest step in migrations/versions

metadata = MetaData()

version = Table(  # alembic's own, as it would make it
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)

suites = Table(
    "suites",
    metadata,
    Column("checksum", String(64), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # the whole suite, so that a run needs no files
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("provenance", Text, nullable=False),
    Column("number", Integer),  # rises from run to run, whatever the clock says
    Index("ix_runs_number", "number", unique=True),
)


def _key() -> list[Column[Any]]:
    """The columns that name a candidate of a run."""
    return [
        Column("run", String(32), ForeignKey("runs.id"), primary_key=True),
        Column("suite", String(200), primary_key=True),
        Column("task", String(200), primary_key=True),
        Column("tool", String(200), primary_key=True),
        Column("prompt_language", String(20), primary_key=True),
        Column("sample", Integer, primary_key=True),
    ]


candidates = Table(
    "candidates",
    metadata,
    *_key(),
    Column("position", Integer, nullable=False),  # the order in which they were read
    Column("form", String(20), nullable=False),
    Column("answer", HostileText, nullable=False),
    Column("origin", Text),  # as JSON, without the raw response, which its answer file keeps
    Index("ix_candidates_position", "run", "position"),
)

# What scores need, in short rows that are kept in the order of their key.
verdicts = Table(
    "verdicts",
    metadata,
    *_key(),
    Column("outcome", String(20), nullable=False),
    Column("passed", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("judged", String(20), nullable=False),
    Column("seconds", Float, nullable=False),
    Column("cpu_seconds", Float, nullable=False),
    Column("recorded", Text),  # flags, assertion sets and measures, as JSON, where there are any
    Column("failure", String(40)),  # why it failed, as measures/taxonomy.py says
    Column("taxonomy", Integer, nullable=False, server_default="0"),  # the version that said so
    sqlite_with_rowid=False,
)

# The rest of a verdict: its tests, its program, what it printed.
verdict_bodies = Table(
    "verdict_bodies",
    metadata,
    *_key(),
    Column("body", Text, nullable=False),  # as JSON
)

# How answers did when they were judged again under other conditions; see shaken.py.
shaken = Table(
    "shaken",
    metadata,
    *_key(),
    Column("round", Integer, primary_key=True),  # from 1 on; it decides the conditions
    Column("outcome", String(20), nullable=False),
    Column("passed", Integer, nullable=False),
    Column("differs", Boolean, nullable=False),  # from the verdict, in its outcome or any test
)

# What was measured of an answer besides its verdict; replaced when the version differs.
measured = Table(
    "measured",
    metadata,
    *_key(),
    Column("rules", String(80), primary_key=True),  # by which rules: standard, published, …
    Column("version", String(32), nullable=False),
    Column("body", Text, nullable=False),  # values, counts and notes, as JSON
)


def _candidate() -> list[Column[Any]]:
    """The columns that name a candidate, of whatever run."""
    return [
        Column("suite", String(200), nullable=False),
        Column("task", String(200), nullable=False),
        Column("tool", String(200), nullable=False),
        Column("prompt_language", String(20), nullable=False),
        Column("sample", Integer, nullable=False),
    ]


rubrics = Table(
    "rubrics",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("text", Text, nullable=False),  # the file
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("grader", String(200), nullable=False),
    Column("rubric", String(200), ForeignKey("rubrics.name"), nullable=False),
    Column("suite", String(64), ForeignKey("suites.checksum"), nullable=False),
    Column("pool", String(64), nullable=False),  # checksum of the answers that it draws from
    Column("settings", Text, nullable=False),
    Column("kind", String(20), nullable=False, server_default="scores"),  # or preferences
)

items = Table(
    "items",
    metadata,
    Column("session", String(32), ForeignKey("sessions.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("screen", Integer, nullable=False),  # items of one screen stand side by side
    Column("showing", Integer, nullable=False),  # 1: shown again, to see how steady a grader is
    *_candidate(),
    Column("code", HostileText, nullable=False),
)


def _event() -> list[Column[Any]]:
    """The columns that say who did something, when and with which rubric."""
    return [
        Column("id", Integer, primary_key=True, autoincrement=True),
        Column("at", String(32), nullable=False),
        Column("kind", String(20), nullable=False),
        Column("grader", String(200), nullable=False),
        Column("rubric", String(200), ForeignKey("rubrics.name"), nullable=False),
        Column("session", String(32), ForeignKey("sessions.id")),  # none: imported or adjudicated
    ]


# One row a key press; nothing is ever changed or deleted.
grade_events = Table(
    "grade_events",
    metadata,
    *_event(),
    *_candidate(),
    Column("showing", Integer, nullable=False),
    Column("dimension", String(200), nullable=False),
    Column("score", Integer),
    Column("text", HostileText, nullable=False),
    Column("undoes", Integer, ForeignKey("grade_events.id")),
    Column("seconds", Float),  # that the grader looked at it; none: not known
    Column("token", String(64)),  # a sender's own number: the same one again changes nothing
    Index("ix_grade_events_rubric", "rubric", "grader"),
    Index("ix_grade_events_token", "token", unique=True),
)

# As grade_events, about two answers to one prompt: A was on the left, B on the right.
preference_events = Table(
    "preference_events",
    metadata,
    *_event(),
    Column("suite", String(200), nullable=False),
    Column("task", String(200), nullable=False),
    Column("prompt_language", String(20), nullable=False),
    Column("tool_a", String(200), nullable=False),
    Column("sample_a", Integer, nullable=False),
    Column("tool_b", String(200), nullable=False),
    Column("sample_b", Integer, nullable=False),
    Column("showing", Integer, nullable=False),  # 1: shown again, with the sides swapped
    Column("dimension", String(200), nullable=False),  # empty: as a whole
    Column("choice", String(20), nullable=False),
    Column("text", HostileText, nullable=False),
    Column("undoes", Integer, ForeignKey("preference_events.id")),
    Column("seconds", Float),
    Column("token", String(64)),
    Index("ix_preference_events_rubric", "rubric", "grader"),
    Index("ix_preference_events_token", "token", unique=True),
)

# Who is not a person; a grader without a row is one.
graders = Table(
    "graders",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("facts", Text, nullable=False),  # of a model: its name, prompt and settings, as JSON
)

# Answers whose right scores are known.
calibration = Table(
    "calibration",
    metadata,
    Column("rubric", String(200), ForeignKey("rubrics.name"), primary_key=True),
    Column("suite", String(200), primary_key=True),
    Column("task", String(200), primary_key=True),
    Column("prompt_language", String(20), primary_key=True),
    Column("number", Integer, primary_key=True),  # of a task's calibration items
    Column("code", HostileText, nullable=False),
    Column("scores", Text, nullable=False),  # dimension → known score, as JSON
    Column("reason", HostileText, nullable=False),
)

# Rows of files that `grade import --partial` did not take: later figures name them.
left_out_scores = Table(
    "left_out_scores",
    metadata,
    Column("rubric", String(200), ForeignKey("rubrics.name"), primary_key=True),
    Column("source", String(200), primary_key=True),  # the file's name
    Column("row", Integer, primary_key=True),
    Column("line", Integer, nullable=False),
    Column("problem", Text, nullable=False),
    Column("fields", Text, nullable=False),  # what the row says, as JSON
)
