"""The prompt that an answer was asked by, made again from what was recorded of it."""

from collections.abc import Mapping
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import Task
from polyassay.prompts.render import render_after
from polyassay.prompts.settings import NAMES, settings_from
from polyassay.prompts.templates import CHAT, COMPLETION, PUBLISHED


def prompt_sent(
    task: Task, origin: Mapping[str, Any], tasks: Mapping[tuple[str, str], Task]
) -> str:
    """Nothing where it comes out otherwise than its recorded sum says.

    So it does for second tries, own templates and answers that nobody asked for; a file that is
    named by an answer's origin is never opened.
    """
    recorded = origin.get("settings")
    if not isinstance(recorded, dict) or not isinstance(recorded.get("template"), str):
        return ""
    template = recorded["template"].split("/")[0]
    if template not in (CHAT, COMPLETION) and recorded["template"] not in PUBLISHED:
        return ""
    values = {name: recorded[name] for name in NAMES if name in recorded}
    shown = recorded.get("example_tasks")
    names = [str(one).partition(":") for one in shown] if isinstance(shown, list) else []
    examples = [tasks[suite, one] for suite, _, one in names if (suite, one) in tasks]
    try:
        settings = settings_from(values | {"template": template})
        prompt = render_after(examples, task, settings)
    except PolyAssayError:
        return ""
    if prompt.hash != origin.get("prompt_sha256"):
        return ""
    if len(prompt.messages) == 1:
        return prompt.text
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in prompt.messages)
