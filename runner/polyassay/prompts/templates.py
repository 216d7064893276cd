"""Templates: files with blocks that become messages (chat) or one text that a tool continues.

A file may begin with a comment that holds TOML: `about`, `stop` (sequences that are sent and end
an answer), `cut` (sequences that only end it, on our side) and `takes` (settings besides those
that every template takes). Blocks are `system`, `user` and `answer` (how an example was answered),
or `text`; a file without any block is one message of a user.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import SandboxedEnvironment

from polyassay.errors import PolyAssayError
from polyassay.languages import LANGUAGES
from polyassay.model import Style, Task
from polyassay.wording import did_you_mean

CHAT, COMPLETION = "chat", "completion"  # a template for each style and language
PUBLISHED = ("odex", "exeds", "mbupp", "aixbench", "humaneval")
HEADER = ("about", "stop", "cut", "takes")


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    sha256: str
    blocks: Mapping[str, Any]
    compiled: jinja2.Template = field(compare=False)
    stop: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    takes: frozenset[str] = frozenset()

    @property
    def is_chat(self) -> bool:
        return "text" not in self.blocks

    def block(self, name: str, values: Mapping[str, object]) -> str:
        """A block's text; a template that cannot be filled in is its author's mistake."""
        try:
            if not self.blocks:
                return self.compiled.render(values)
            if name not in self.blocks:
                return ""
            return "".join(self.blocks[name](self.compiled.new_context(dict(values))))
        except jinja2.TemplateError as error:
            raise PolyAssayError(
                f"The template {self.name} cannot be filled in: {error}.",
                "`docs/studies.md` lists what a template may name.",
            ) from None
        except (TypeError, ValueError, ArithmeticError, RecursionError, OverflowError) as error:
            raise PolyAssayError(
                f"The template {self.name} fails: {error}.", "`docs/studies.md` shows templates."
            ) from None


def template_names() -> tuple[str, ...]:
    return (CHAT, COMPLETION, *PUBLISHED)


def published_for(suite: str) -> str:
    """The template of a suite's publisher, by the name that its suites have here."""
    return next((name for name in PUBLISHED if suite == name or suite.startswith(f"{name}-")), "")


class Templates:
    """Loads each template once."""

    def __init__(self) -> None:
        self._loaded: dict[str, Template] = {}

    def find(self, name: str, task: Task) -> Template:
        """The template of that name for this task: a shipped one, or a file."""
        if name in (CHAT, COMPLETION):
            name = f"{name}/{task.language}-{_style(task)}"
        elif name not in PUBLISHED and not Path(name).is_file():
            hint = did_you_mean(name, template_names())
            known = ", ".join(template_names())
            raise PolyAssayError(
                f'There is no template "{name}".', f"{hint}shipped are {known}; or name a file."
            )
        if name not in self._loaded:
            self._loaded[name] = load(name)
        return self._loaded[name]


def _style(task: Task) -> Style:
    if task.style is Style.RUBRIC:  # people grade it: whatever its language writes
        return LANGUAGES[task.language].rated_style
    return task.style


def load(name: str) -> Template:
    """A shipped template by its name, or one's own by its path."""
    shipped = files("polyassay.prompts") / "templates" / f"{name}.j2"
    try:
        text = shipped.read_text("utf-8") if shipped.is_file() else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolyAssayError(f"The template {name} cannot be read: {error}.", _HINT) from None
    header = _header(name, text)
    environment = SandboxedEnvironment(  # prompts are text, so nothing is escaped
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    try:
        compiled = environment.from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise PolyAssayError(
            f"{name}, line {error.lineno}: {error.message}.", "it is a jinja2 template."
        ) from None
    unknown = compiled.blocks.keys() - {"system", "user", "answer", "text"}
    if unknown:
        raise PolyAssayError(
            f'The template {name} has a block "{min(unknown)}".',
            "blocks are system, user and answer, or text.",
        )
    return Template(
        name=name,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        blocks=compiled.blocks,
        compiled=compiled,
        stop=_texts(name, header, "stop"),
        cut=_texts(name, header, "cut"),
        takes=frozenset(_texts(name, header, "takes")),
    )


_HINT = "templates are UTF-8 text files."


def _header(name: str, text: str) -> Mapping[str, Any]:
    """The TOML of the comment that a template begins with."""
    if not text.startswith("{#") or "#}" not in text:
        return {}
    comment = text[2 : text.index("#}")].strip("-+ ")
    try:
        found = tomllib.loads(comment)
    except tomllib.TOMLDecodeError:
        return {}  # an ordinary comment
    for key in found:
        if key not in HEADER:
            raise PolyAssayError(
                f'{name}: "{key}" is unknown in a template\'s first comment.',
                f"known are {', '.join(HEADER)}.",
            )
    return found


def _texts(name: str, header: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = header.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise PolyAssayError(f'{name}: "{key}" must be a list of texts.', _HINT)
    return tuple(value)


def cut_at(text: str, ends: Iterable[str]) -> str:
    """The text before the first of these that stands in it."""
    places = [place for end in ends if (place := text.find(end)) >= 0]
    return text[: min(places)] if places else text
