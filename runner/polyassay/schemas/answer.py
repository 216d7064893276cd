"""One line of a native answer file, and one row of graders' scores."""

from typing import Any

from polyassay.candidates.formats import FORMS, NATIVE_FIELDS
from polyassay.rubric.files import COLUMNS, LONGEST, LONGEST_LANGUAGE, MAX_SAMPLE, OPTIONAL

TEXT_OR_NONE = {"type": ["string", "null"]}
COUNT = {"type": ["integer", "null"], "minimum": 0}


def answer_schema() -> dict[str, Any]:
    types: dict[str, dict[str, Any]] = {
        "task": {"type": ["string", "integer"], "description": "the task's id"},
        "answer": {"type": ["string", "null"], "description": "the tool's raw text"},
        "files": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "string"},
            "description": "path → text, where the task names solution files",
        },
        "tool": TEXT_OR_NONE,
        "sample": COUNT | {"description": "from 0; else the order of the lines"},
        "prompt_language": TEXT_OR_NONE,
        "suite": TEXT_OR_NONE | {"description": "only where several suites share ids"},
        "form": {"enum": [*FORMS, None]},
        "origin": {"type": ["object", "null"], "description": "where it comes from"},
    }
    whole = {"required": ["answer"], "properties": {"answer": {"type": "string"}}}
    several = {
        "required": ["files"],
        "properties": {
            "files": {"type": "object", "minProperties": 1},
            "answer": {"enum": ["", None]},
        },
    }
    return {
        "title": "An answer",
        "type": "object",
        "properties": {name: types[name] for name in sorted(NATIVE_FIELDS)},
        "required": ["task"],
        "anyOf": [several, whole | {"not": {"required": ["files"], "properties": _FILLED}}],
    }


_FILLED = {"files": {"type": "object", "minProperties": 1}, "answer": {"minLength": 1}}


def score_schema() -> dict[str, Any]:
    """A row as JSON has it; CSV has the same columns, all of them as text."""
    name = {"type": ["string", "integer"], "minLength": 1, "maxLength": LONGEST}
    number = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^\s*\d{1,19}\s*$"}]}
    types: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("suite", "task", "tool", "grader", "dimension"), name),
        "prompt_language": {"type": ["string", "null"], "maxLength": LONGEST_LANGUAGE},
        "sample": {"anyOf": [*number["anyOf"], {"type": "null"}], "maximum": MAX_SAMPLE},
        "score": number,
        "comment": TEXT_OR_NONE,
        "showing": {"enum": [0, 1, "0", "1"]},
        "decision": {"type": "boolean"},
    }
    return {
        "title": "A grader's score",
        "type": "object",
        "properties": {key: types[key] for key in (*COLUMNS, *sorted(OPTIONAL - set(COLUMNS)))},
        "required": [key for key in COLUMNS if key not in OPTIONAL],
        "additionalProperties": False,
    }
