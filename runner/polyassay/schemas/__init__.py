"""JSON Schemas of the files that people write, made from the tables that their readers use.

A schema knows names, types, choices and what is needed. Readers know more (typing mistakes, names
that must exist), so what a schema takes may still be refused, with a line and a hint.
"""

from collections.abc import Callable
from typing import Any

from polyassay.schemas.answer import answer_schema, score_schema
from polyassay.schemas.study import study_schema
from polyassay.schemas.task import task_schema

DRAFT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "task": task_schema,
    "answer": answer_schema,
    "score": score_schema,
    "study": study_schema,
}


def schema(name: str) -> dict[str, Any]:
    return {"$schema": DRAFT, **SCHEMAS[name]()}
