"""The prompt as it was sent is made again from what was recorded, or not shown at all."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from made import make_task
from polyassay.model import Task
from polyassay.prompts import render, settings_from
from polyassay.prompts.sent import prompt_sent

TASKS = [
    make_task(f"t{n}", prompts={"en": f"Add {n}", "zh": f"加 {n}"}, reference=f"x + {n}")
    for n in range(6)
]
BY_KEY = {(task.suite, task.id): task for task in TASKS}


def asked(task: Task, **values: object) -> tuple[dict[str, Any], str]:
    """An origin as a store keeps it, and the prompt's last message."""
    prompt = render(task, settings_from(values), TASKS)
    origin = {"settings": prompt.settings, "prompt_sha256": prompt.hash}
    kept: dict[str, Any] = json.loads(json.dumps(origin))
    return kept, prompt.messages[-1].content


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"prompt_language": "zh"},
        {"system": "Be brief."},
        {"examples": 3, "seed": 7},
        {"shown_tests": 1, "held_out_tests": True},
        {"template": "completion"},
        {"template": "mbupp", "strip": "both"},
    ],
)
def test_it_is_the_one_that_was_sent(values: Mapping[str, object]) -> None:
    origin, last = asked(TASKS[2], **values)
    shown = prompt_sent(TASKS[2], origin, BY_KEY)
    assert shown.endswith(last)
    assert ("Be brief." in shown) == ("system" in values)
    assert shown.count("[assistant]") == values.get("examples", 0)


def test_what_cannot_be_made_again_is_not_shown() -> None:
    origin, _ = asked(TASKS[2], examples=2)
    assert prompt_sent(TASKS[2], origin, {}) == ""  # the solved tasks are in no suite of the run
    changed = replace(TASKS[2], prompts={"en": "Add 3", "zh": "加 2"})
    assert prompt_sent(changed, origin, BY_KEY) == ""


@pytest.mark.parametrize(
    "origin",
    [
        {},
        {"settings": ["template"]},
        {"settings": {"template": 1}},
        {"settings": {"template": "chat/python-function", "examples": -1}},
        {"settings": {"template": "chat", "prompt_language": "ja", "example_tasks": "t1"}},
    ],
)
def test_odd_origins_show_nothing(origin: Mapping[str, Any]) -> None:
    assert prompt_sent(TASKS[2], {**origin, "prompt_sha256": ""}, BY_KEY) == ""


def test_a_file_that_an_origin_names_is_not_opened(tmp_path: Path) -> None:
    own = tmp_path / "own.j2"
    own.write_text("{% block user %}{{ task.text }}{% endblock %}")
    origin, _ = asked(TASKS[2], template=str(own))
    own.unlink()
    own.mkdir()  # which to read would fail
    assert prompt_sent(TASKS[2], origin, BY_KEY) == ""
