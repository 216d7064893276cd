"""One line of a native suite."""

from typing import Any

from polyassay.model import LARGEST, Language, Style
from polyassay.suites.native.task_json import (
    FIELDS,
    FLAGS,
    LIMIT_FIELDS,
    NEEDED,
    TEST_FIELDS,
    TEXTS,
)

TEXT = {"type": "string"}
FULL = {"type": "string", "pattern": r"\S"}
TEXTS_LIST = {"type": "array", "items": TEXT}
TEXT_MAP = {"type": "object", "additionalProperties": TEXT}
# Relative, and without a part that leads out of the folder.
PATHS = TEXT_MAP | {
    "propertyNames": {"pattern": r"^(?!/)(?!(.*/)?\.\.(/|$))[^\u0000]+$"},
}
ABOUT = {
    "id": "unique in its suite",
    "prompts": "prompt language → what is asked",
    "entry": "the Python function or class that the tests call",
    "class_name": "the Java class that the tests call, with its package",
    "context": "code that stands before the answer and that a completion continues",
    "suffix": "code that stands after the answer",
    "setup": "imports and helpers of the tests",
    "test_source": "a JUnit class or a pytest file",
    "support": "path → source that the tests need",
    "files": "path → base64, laid out afresh for every candidate",
    "solution": "path → stub, where an answer has files of its own",
    "reference": "an answer that passes: its text, or path → text where there is a solution",
    "libraries": "Python: what it imports",
    "jars": "Java: file name → SHA-256",
    "cluster": "the question that it shares with other tasks, for statistics",
}


def task_schema() -> dict[str, Any]:
    return {
        "title": "A task of a native suite",
        "type": "object",
        "properties": {name: _described(name) for name in FIELDS},
        "required": ["id", "language", "style"],
        "allOf": [
            *(_needs(style, names) for style, names in NEEDED.items()),
            {
                **_if("style", Style.SETS),
                "then": {"properties": {"tests": _sets()}},
                "else": {"properties": {"tests": _tests_list()}},
            },
            {**_if("style", *_WITH_TESTS), "then": {"required": ["tests"]}},
            {**_if("style", Style.RUBRIC, Style.SETS), "else": _each_test({})},
            {**_if("style", Style.FUNCTION, Style.CLASS), "then": _each_test({"code": FULL})},
            {**_if("style", Style.PROGRAM), "then": _each_test({"stdout": TEXT})},
            {**_if("style", Style.RUBRIC), "then": _graded()},
            {
                **_if("style", *_PYTHON),
                "then": {"properties": {"language": {"const": Language.PYTHON}}},
            },
            _FILES_NEED_SOLUTION,
            {
                **_if("style", Style.JUNIT),
                "then": {"properties": {"language": {"const": Language.JAVA}}},
            },
        ],
    }


# The JDK's parser and the suite's pytest find tests where a task does not list them.
_WITHOUT_TESTS = (Style.JUNIT, Style.PYTEST, Style.RUBRIC)
_WITH_TESTS = tuple(style for style in Style if style not in _WITHOUT_TESTS)
_NOT_ONLY_PYTHON = (Style.JUNIT, Style.PROGRAM, Style.RUBRIC)
_PYTHON = tuple(style for style in Style if style not in _NOT_ONLY_PYTHON)


def _if(name: str, *values: str) -> dict[str, Any]:
    return {"if": {"properties": {name: {"enum": list(values)}}}}


_FILES_NEED_SOLUTION = {
    "if": {"required": ["reference"], "properties": {"reference": {"type": "object"}}},
    "then": {"required": ["solution"], "properties": {"solution": {"minProperties": 1}}},
}


def _needs(style: Style, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        **_if("style", style),
        "then": {"required": list(names), "properties": dict.fromkeys(names, FULL)},
    }


def _graded() -> dict[str, Any]:
    prompts = {"minProperties": 1}
    return {"required": ["prompts"], "properties": {"prompts": prompts, "tests": {"maxItems": 0}}}


def _tests_list() -> dict[str, Any]:
    fields = {"type": "object", "properties": dict.fromkeys(TEST_FIELDS, TEXT)}
    return {"type": "array", "items": fields}


def _each_test(needed: dict[str, Any]) -> dict[str, Any]:
    """At least one test, and in every one of them what its style cannot do without."""
    items = {"required": list(needed), "properties": needed}
    return {"properties": {"tests": {"minItems": 1, "items": items}}}


def _sets() -> dict[str, Any]:
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": TEXTS_LIST | {"minItems": 1},
    }


def _described(name: str) -> dict[str, Any]:
    about = {"description": ABOUT[name]} if name in ABOUT else {}
    return _TYPES[name] | about


_FLAG = {"type": "boolean"}
_POSITIVE = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": LARGEST}
_TYPES: dict[str, dict[str, Any]] = {
    **dict.fromkeys((*TEXTS, "suite", "cluster", "together_because"), TEXT),
    **dict.fromkeys(("libraries", "tags"), TEXTS_LIST),
    **dict.fromkeys(("prompts", "extra"), TEXT_MAP),
    **dict.fromkeys(("support", "solution"), PATHS),
    **dict.fromkeys(FLAGS, _FLAG),
    "id": FULL,
    "reference": {"anyOf": [TEXT, PATHS | {"minProperties": 1}]},
    "language": {"enum": list(Language)},
    "style": {"enum": list(Style)},
    "tests": {"type": ["array", "object"]},
    "files": PATHS | {"additionalProperties": TEXT | {"contentEncoding": "base64"}},
    "jars": {
        "type": "object",
        "additionalProperties": TEXT | {"pattern": "^[0-9a-f]{64}$"},
    },
    "limits": {
        "type": "object",
        "properties": {
            name: _POSITIVE | ({"type": "integer"} if name == "memory_mb" else {})
            for name in LIMIT_FIELDS
        },
        "additionalProperties": False,
    },
}
