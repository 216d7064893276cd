"""Agents that work in a folder: their command lines, and the presets that ship."""

import re
import shlex
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from polyassay.collect.usage import UsageReader
from polyassay.errors import PolyAssayError
from polyassay.wording import did_you_mean

# What a command may name; {files} becomes one word a file.
PLACES = ("prompt_file", "prompt", "file", "files", "folder", "task", "language", "sample", "model")
SECONDS = 600.0
_PLACE = re.compile(r"\{([A-Za-z_]+)\}")
VERSION = r"\d+(?:\.\w+)+"
VERSION_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Agent:
    """How an agent is started, and how its output is read."""

    command: tuple[str, ...]
    seconds: float = SECONDS
    environment: Mapping[str, str] = field(default_factory=dict)
    version_command: tuple[str, ...] = ()
    version_pattern: str = VERSION
    usage: UsageReader = field(default_factory=UsageReader)
    about: str = ""
    tried: bool = False  # whether it was tried where this was written

    def words(self, values: Mapping[str, str], files_: Sequence[str]) -> list[str]:
        """The command with every place filled in; never through a shell."""
        found: list[str] = []
        for word in self.command:
            if word == "{files}":
                found.extend(files_)
            elif word == "{model}" and not values["model"]:
                if found[-1:] and found[-1].startswith("-"):
                    found.pop()  # the flag before it: the agent's own model is meant
            else:
                found.append(_PLACE.sub(lambda m: values.get(m[1], m[0]), word))
        return found


def agent_of(command: Sequence[str] | str, **more: Any) -> Agent:
    """An agent from a command line, which is taken apart as a shell would and started without."""
    try:
        words = tuple(shlex.split(command) if isinstance(command, str) else command)
    except ValueError as error:
        raise PolyAssayError(f"The command cannot be read: {error}.", "Check its quotes.") from None
    if not words:
        raise PolyAssayError("The command is empty.", "as in --command 'my-agent {prompt_file}'.")
    for word in words:
        for name in _PLACE.findall(word):
            if name not in PLACES:
                raise PolyAssayError(
                    f"The command names {{{name}}}, which nothing fills in.",
                    did_you_mean(name, PLACES) + f"known are {', '.join(PLACES)}.",
                )
    return Agent(words, **more)


@cache
def presets() -> Mapping[str, Agent]:
    text = (files("polyassay.collect") / "presets.toml").read_text("utf-8")
    return {name: _preset(value) for name, value in tomllib.loads(text).items()}


def preset(name: str) -> Agent:
    known = presets()
    if name not in known:
        hint = did_you_mean(name, known) + f"Known are {', '.join(known)}; or give --command."
        raise PolyAssayError(f'There is no preset "{name}".', hint)
    return known[name]


def _preset(value: Mapping[str, Any]) -> Agent:
    tokens = value.get("tokens", {})
    return agent_of(
        value["command"],
        environment=value.get("environment", {}),
        version_command=tuple(value["version"]),
        version_pattern=value.get("version_pattern", VERSION),
        usage=UsageReader(
            tokens.get("where"),
            tokens.get("fields"),
            tokens.get("pattern", ""),
            tokens.get("add_up", True),
        ),
        about=value["about"],
        tried=value["tried"],
    )


def version_of(agent: Agent) -> str | None:
    """What the tool says of itself; None where it says nothing that can be read."""
    if not agent.version_command:
        return None
    try:
        said = subprocess.run(
            agent.version_command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(agent.version_pattern, said.stdout + said.stderr)
    return found[0] if found else None
