"""A tool with one combination of the settings that a study varies; it is a tool like any other."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.generate.tools import VIAS, Tool
from polyassay.prompts import PromptSettings
from polyassay.prompts.settings import NAMES
from polyassay.study.answers import Questionnaire
from polyassay.study.file import Study

CONFUSING = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True, slots=True)
class Variant:
    tool: Tool  # under the variant's name
    base: str  # the tool's own name
    values: Mapping[str, Any]  # setting → value, of those that the study varies
    settings: PromptSettings
    path: Path  # its answers

    @property
    def asked(self) -> bool:
        """Whether its answers are asked for; those of files exist."""
        return self.tool.via != "files"


def variants(study: Study) -> list[Variant]:
    found = [variant for tool in study.tools for variant in _of_tool(study, tool)]
    paths = [variant.path for variant in found]
    for path in paths:
        if paths.count(path) > 1:
            raise PolyAssayError(
                f"Two tools would write their answers to {path}.", "give them other names."
            )
    return found


def _of_tool(study: Study, tool: Tool) -> list[Variant]:
    if tool.via == "files":
        path = study.path.parent / str(tool.values["path"])
        return [Variant(tool, tool.name, {}, study.settings, path)]
    names = [name for name in study.varied if _can_vary(tool, name)]
    combinations = itertools.product(*(study.varied[name] for name in names))
    return [_variant(study, tool, dict(zip(names, one, strict=True))) for one in combinations]


def _can_vary(tool: Tool, name: str) -> bool:
    """Prompts can be varied for every tool that is asked; parameters where they are taken."""
    return name in NAMES or name in VIAS[tool.via].takes


def variant_name(tool: str, values: Mapping[str, Any]) -> str:
    if not values:
        return tool
    return f"{tool}[{','.join(f'{name}:{_told(value)}' for name, value in values.items())}]"


def _told(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return CONFUSING.sub("_", text)[:40]


def _variant(study: Study, tool: Tool, values: Mapping[str, Any]) -> Variant:
    name = variant_name(tool.name, values)
    own = {key: value for key, value in values.items() if key not in NAMES}
    asked = replace(tool, name=name, values={**tool.values, **own})
    settings = study.settings.changed(**tool.prompt)
    if not settings.template and settings.drawing == "ours":
        settings = settings.changed(template=tool.template)
    settings = settings.changed(**{key: v for key, v in values.items() if key in NAMES})
    file = CONFUSING.sub("_", name).strip("_") + ".jsonl"
    return Variant(asked, tool.name, values, settings, study.answers / file)


def questionnaire_of(study: Study, variant: Variant) -> Questionnaire:
    return Questionnaire(
        variant.tool, variant.settings, study.samples, variant.path, study.languages
    )
