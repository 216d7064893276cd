"""study.toml, which editors check once they know its schema."""

import dataclasses
from typing import Any

from polyassay.generate.tools import EVERY, KINDS, SAMPLING, VIAS, Price
from polyassay.prompts.settings import ALL, CHOICES, COUNTS, NAMES
from polyassay.study.file import COMPARE, RUN, TABLES, TOP

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
COUNT = {"type": "integer", "minimum": 1}
POSITIVE = {"type": "number", "exclusiveMinimum": 0}
_JSON_TYPES: dict[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
}


def study_schema() -> dict[str, Any]:
    types: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("prompt_languages", "send_to"), TEXTS),
        **dict.fromkeys(("answers", "report"), TEXT | {"minLength": 1}),
        **dict.fromkeys(("samples", "limit"), COUNT),
        "suites": TEXTS | {"minItems": 1},
        "tool": {"type": "array", "minItems": 1, "items": _tool()},
        "prompt": _table({name: _setting(name) for name in NAMES}),
        "vary": _table({key: {"type": "array", "minItems": 1} for key in _VARIED}),
        "compare": _table({name: POSITIVE if name == "margin" else TEXT for name in COMPARE}),
        "run": _table({key: {"type": "number"} for key in RUN}),
    }
    return {
        "title": "A study",
        **_table({name: types[name] for name in (*TOP, *TABLES)}),
        "required": ["suites", "tool"],
    }


_VARIED = (*NAMES, *(name for name in SAMPLING if name != "extra"))


def _table(properties: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _tool() -> dict[str, Any]:
    """What a tool may have depends on its via."""
    return {
        "type": "object",
        "properties": {"name": TEXT | {"pattern": r"^[^\[\]\n]*\S[^\[\]\n]*$"}, "via": _via()},
        "required": ["name", "via"],
        "allOf": [
            {
                "if": {"properties": {"via": {"const": name}}},
                "then": {
                    **_table({key: _value(key) for key in (*EVERY, *via.needs, *via.takes)}),
                    "required": list(via.needs),
                },
            }
            for name, via in VIAS.items()
        ],
    }


def _via() -> dict[str, Any]:
    return {"enum": list(VIAS)}


def _value(key: str) -> dict[str, Any]:
    if key in ("seconds", "concurrency", "tries"):
        return POSITIVE
    if key == "price":
        return _price()
    if key == "prompt":
        return _table({name: _setting(name) for name in NAMES})
    if key not in KINDS:
        return {}
    kinds = KINDS[key][0]
    types = [_JSON_TYPES[kind] for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
    found: dict[str, Any] = {"type": types if len(types) > 1 else types[0]}
    return found | ({"items": TEXT} if "array" in types else {})


def _price() -> dict[str, Any]:
    numbers = {"type": "number", "minimum": 0}
    texts = ("currency", "as_of")
    fields = [field.name for field in dataclasses.fields(Price)]
    properties = {name: {} if name in texts else numbers for name in fields}
    return _table(properties) | {"required": ["input", "output"]}


def _setting(name: str) -> dict[str, Any]:
    if name in COUNTS:
        return {"type": "integer", "minimum": 0}
    if name == "shown_tests":
        return {"anyOf": [{"type": "integer", "minimum": 0}, {"const": ALL}]}
    if name == "held_out_tests":
        return {"type": "boolean"}
    if name == "strip":
        return {"enum": [*CHOICES[name], True, False]}
    return {"enum": list(CHOICES[name])} if name in CHOICES else TEXT
