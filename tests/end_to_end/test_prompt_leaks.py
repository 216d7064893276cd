"""Neither tests nor references get into a prompt, in any language and by any shipped template."""

from pathlib import Path

import pytest

from polyassay.model import Task
from polyassay.prompts import render, settings_from
from polyassay.suites.registry import Registry


@pytest.mark.parametrize("name", ["starter-java", "starter-python", "starter-notebooks"])
@pytest.mark.parametrize("template", ["chat", "completion"])
def test_neither_tests_nor_references_get_into_a_prompt(
    name: str, template: str, tmp_path: Path
) -> None:
    for task in Registry(tmp_path).load(name).tasks:
        for language in task.prompts:
            settings = settings_from({"template": template, "prompt_language": language})
            text = render(task, settings).text
            assert task.prompts[language].strip().splitlines()[-1].strip() in text
            assert not any(line in text for line in _telling(task.reference, task, language))
            for source in (task.test_source, *(test.code for test in task.tests)):
                assert not any(line in text for line in _telling(source, task, language))


def _telling(code: str, task: Task, language: str) -> list[str]:
    """Lines that say something, besides what the task itself tells."""
    known = task.prompts[language] + task.signature + task.context
    lines = (line.strip().removesuffix("{").rstrip(": ") for line in code.splitlines())
    return [
        line
        for line in lines
        if len(line) > 14
        and line not in known
        and task.signature.strip() not in line
        and not line.startswith(
            ("import ", "from ", "public class", "final class", "package", '"""')
        )
    ]
