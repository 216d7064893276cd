"""Who grades, what is known beforehand, and what was refused: the facts around scores."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey
from polyassay.store import Store, schema
from polyassay.store.scores import CALIBRATION


class GraderKind(StrEnum):
    PERSON = "person"
    MODEL = "model"  # never pooled with people


@dataclass(frozen=True, slots=True)
class Grader:
    name: str
    kind: GraderKind = GraderKind.PERSON
    facts: Mapping[str, Any] = field(default_factory=dict)  # of a model: model, prompt, settings


@dataclass(frozen=True, slots=True)
class Calibration:
    """An answer whose right scores are known; `key.tool` is always `CALIBRATION`."""

    key: CandidateKey
    code: str
    scores: Mapping[str, int]  # dimension → known score
    reason: str = ""


def calibration_key(suite: str, task: str, prompt_language: str, number: int) -> CandidateKey:
    return CandidateKey(suite, task, CALIBRATION, prompt_language, number)


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """A row of scores that `grade import --partial` did not take."""

    source: str  # the file's name
    row: int
    line: int
    problem: str
    fields: Mapping[str, Any]  # what it says, as far as it could be read


class Graders:
    """The part of a store that holds these; all is durable when a method returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save_grader(self, grader: Grader) -> None:
        """Saving the same again changes nothing; a person never becomes a model, or back."""
        table = schema.graders
        row = {"kind": grader.kind.value, "facts": json.dumps(dict(grader.facts), sort_keys=True)}
        with self._store._transaction() as connection:
            query = sa.select(table.c.kind).where(table.c.name == grader.name)
            before = connection.execute(query).scalar()
            if before is None:
                self._refuse_other_kind(connection, grader)
                connection.execute(table.insert(), row | {"name": grader.name})
            elif before != grader.kind:
                raise _other_kind(grader.name, before)
            else:
                connection.execute(table.update().where(table.c.name == grader.name), row)

    def _refuse_other_kind(self, connection: sa.Connection, grader: Grader) -> None:
        """Who has graded without a row is a person."""
        if grader.kind is GraderKind.PERSON:
            return
        for table in (schema.grade_events, schema.preference_events, schema.sessions):
            query = sa.select(table.c.grader).where(table.c.grader == grader.name).limit(1)
            if connection.execute(query).scalar() is not None:
                raise _other_kind(grader.name, GraderKind.PERSON)

    def graders(self) -> dict[str, Grader]:
        """Those that were saved; every other name is a person's."""
        query = sa.select(schema.graders)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return {
            row["name"]: Grader(row["name"], GraderKind(row["kind"]), json.loads(row["facts"]))
            for row in found
        }

    def models(self) -> frozenset[str]:
        """The names of graders that are models."""
        known = self.graders().values()
        return frozenset(grader.name for grader in known if grader.kind is GraderKind.MODEL)

    def save_calibration(self, rubric: str, items: Sequence[Calibration]) -> None:
        """All or none; an item that is there already is replaced."""
        table = schema.calibration
        with self._store._transaction() as connection:
            for item in items:
                place = {
                    "rubric": rubric,
                    "suite": item.key.suite,
                    "task": item.key.task,
                    "prompt_language": item.key.prompt_language,
                    "number": item.key.sample,
                }
                connection.execute(table.delete().filter_by(**place))
                told = {"code": item.code, "reason": item.reason}
                known = {"scores": json.dumps(dict(item.scores), sort_keys=True)}
                connection.execute(table.insert(), place | told | known)

    def calibration(self, rubric: str, suite: str | None = None) -> list[Calibration]:
        table = schema.calibration
        wanted = {"rubric": rubric} | ({"suite": suite} if suite else {})
        place = (table.c.suite, table.c.task, table.c.prompt_language, table.c.number)
        query = sa.select(table).filter_by(**wanted).order_by(*place)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return [
            Calibration(
                calibration_key(row["suite"], row["task"], row["prompt_language"], row["number"]),
                row["code"],
                json.loads(row["scores"]),
                row["reason"],
            )
            for row in found
        ]

    def save_left_out(self, rubric: str, source: str, left_out: Sequence[LeftOutRow]) -> None:
        """Replaces what was left out of the same file before."""
        table = schema.left_out_scores
        with self._store._transaction() as connection:
            connection.execute(table.delete().filter_by(rubric=rubric, source=source))
            for row in left_out:
                connection.execute(
                    table.insert(),
                    {
                        "rubric": rubric,
                        "source": source,
                        "row": row.row,
                        "line": row.line,
                        "problem": row.problem,
                        "fields": json.dumps(dict(row.fields)),
                    },
                )

    def left_out(self, rubric: str) -> list[LeftOutRow]:
        table = schema.left_out_scores
        query = sa.select(table).filter_by(rubric=rubric).order_by(table.c.source, table.c.row)
        with self._store._transaction() as connection:
            found = connection.execute(query).mappings().all()
        return [
            LeftOutRow(r["source"], r["row"], r["line"], r["problem"], json.loads(r["fields"]))
            for r in found
        ]


def _other_kind(name: str, kind: str) -> PolyAssayError:
    return PolyAssayError(
        f'"{name}" has graded as a {kind} before.',
        hint="People and models are never mixed: give this grader another name.",
    )
