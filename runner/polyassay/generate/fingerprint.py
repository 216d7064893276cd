"""What shapes an answer, and the checksum of it that keeps anything from being asked twice."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from polyassay.generate.replies import Question
from polyassay.generate.tools import SAMPLING, Tool

# What shapes an answer of a tool, besides the prompt. How it is reached and how often is left out.
SHAPING = (*SAMPLING, "model", "suffix", "command", "preset", "json", "version")


def shape_of(tool: Tool, question: Question, sample: int) -> dict[str, Any]:
    """Everything that shapes one answer, the sample's number included, as plain values."""
    prompt = question.prompt
    return {
        "suite": question.task.suite,
        "task": question.task.id,
        "prompt_language": question.prompt_language,
        "sample": sample,
        "via": tool.via,
        "base_url": tool.base_url,
        "parameters": {key: tool.values[key] for key in sorted(tool.values) if key in SHAPING},
        "prompt_sha256": prompt.hash,
        "stop": list(prompt.stop),
        "cut": list(prompt.cut),
    }


def fingerprint(shape: Mapping[str, Any]) -> str:
    text = json.dumps(shape, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def differences(before: Mapping[str, Any], now: Mapping[str, Any], place: str = "") -> list[str]:
    """What changed, in words: `temperature was 0.8 and is 0.2`."""
    found = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found += differences(old, new, key)
        elif key == "prompt_sha256":
            found.append("the prompt is another one")
        else:
            found.append(f"{key} was {_told(old)} and is {_told(new)}")
    return found


def _told(value: object) -> str:
    return "not given" if value is None else json.dumps(value, ensure_ascii=False)
