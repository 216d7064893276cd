"""From a task and settings to what is put to a tool, byte for byte."""

from polyassay.prompts.render import Message, Prompt, continued, render
from polyassay.prompts.settings import PromptSettings, settings_from
from polyassay.prompts.templates import template_names

__all__ = [
    "Message",
    "Prompt",
    "PromptSettings",
    "continued",
    "render",
    "settings_from",
    "template_names",
]
