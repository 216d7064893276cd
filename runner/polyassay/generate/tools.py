"""A tool that can be asked: how it is reached, with which parameters, at what price."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from polyassay.errors import PolyAssayError
from polyassay.wording import did_you_mean

SAMPLING = ("temperature", "top_p", "max_tokens", "stop", "seed", "extra")
SERVER = ("model", "base_url", "api_key_env", "stream", "native_n", "rpm", "tpm")
EVERY = ("name", "via", "price", "prompt", "template", "concurrency", "tries", "seconds")
PROCESS = ("command", "json", "version_command", "version")


@dataclass(frozen=True, slots=True)
class Via:
    client: str  # module:class, imported when needed
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    base_url: str = ""
    api_key_env: str = ""
    template: str = "chat"
    seconds: float = 300.0  # an attempt, at most
    concurrency: int = 8
    tries: int = 6


VIAS: dict[str, Via] = {
    "openai": Via(
        "polyassay.generate.clients.openai:ChatClient",
        ("model",),
        (*SERVER, *SAMPLING),
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
    ),
    "completions": Via(
        "polyassay.generate.clients.openai:CompletionClient",
        ("model",),
        (*SERVER, *SAMPLING, "suffix"),
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        template="completion",
    ),
    "anthropic": Via(
        "polyassay.generate.clients.anthropic:MessagesClient",
        ("model", "max_tokens"),
        (*SERVER, *SAMPLING),
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
    ),
    "command": Via(
        "polyassay.generate.clients.command:CommandClient",
        ("command",),
        PROCESS,
        seconds=600.0,
        concurrency=os.cpu_count() or 1,
        tries=1,
    ),
    "workspace": Via(
        "polyassay.collect.clients:WorkspaceClient",
        (),
        ("command", "preset", "model", "version"),
        seconds=600.0,
        concurrency=os.cpu_count() or 1,
        tries=1,
    ),
    "acp": Via(
        "polyassay.collect.clients:AcpClient",
        ("command",),
        ("command",),
        seconds=600.0,
        concurrency=os.cpu_count() or 1,
        tries=1,
    ),
    "files": Via("", ("path",), ("path", "format")),
}
SECRETS = ("api_key", "key", "token", "password", "secret")
HINT = "`docs/studies.md` lists what a tool may have."


@dataclass(frozen=True, slots=True)
class Price:
    """In some currency, for so many tokens; cached input costs as other input unless told."""

    input: float
    output: float
    currency: str = "USD"
    per: int = 1_000_000
    cached: float | None = None
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    via: str
    values: Mapping[str, Any] = field(default_factory=dict)  # what its via needs and takes
    price: Price | None = None
    prompt: Mapping[str, Any] = field(default_factory=dict)  # settings that are its own
    seconds: float = 300.0
    concurrency: int = 8
    tries: int = 6

    @property
    def model(self) -> str:
        return str(self.values.get("model", ""))

    @property
    def base_url(self) -> str:
        return str(self.values.get("base_url", VIAS[self.via].base_url)).rstrip("/")

    @property
    def host(self) -> str:
        """Where its prompts go; empty for what runs here."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def template(self) -> str:
        return str(self.prompt.get("template", VIAS[self.via].template))

    def key(self) -> str:
        """The secret that its server wants, from the environment and from nowhere else."""
        default = "" if "base_url" in self.values else VIAS[self.via].api_key_env
        name = str(self.values.get("api_key_env", default))
        if not name:
            return ""
        found = os.environ.get(name, "").strip()
        if not found:
            raise PolyAssayError(
                f'The tool "{self.name}" takes its key from {name}, which is not set.',
                f"export {name}=…, or name another variable as api_key_env.",
            )
        return found


def tool_from(values: Mapping[str, Any], where: str) -> Tool:
    """A checked tool; `where` begins a complaint, as in 'study.toml, line 4'."""
    name, via = values.get("name"), values.get("via")
    if not isinstance(name, str) or not name.strip() or set(name) & set("[]\n"):
        raise PolyAssayError(f"{where}: a tool needs a name without brackets.", HINT)
    if not isinstance(via, str) or via not in VIAS:
        hint = did_you_mean(str(via), VIAS) if via else ""
        raise PolyAssayError(
            f'{where}: the tool "{name}" needs a via that is known, found {via!r}.',
            f"{hint}known are {', '.join(VIAS)}.",
        )
    known = VIAS[via]
    for key in values:
        _refuse_secret(key, f'{where}: the tool "{name}"')
        if key not in (*EVERY, *known.needs, *known.takes):
            hint = did_you_mean(key, (*EVERY, *known.takes))
            raise PolyAssayError(f'{where}: a tool via {via} has no "{key}".', hint + HINT)
    for key in known.needs:
        if not values.get(key):
            raise PolyAssayError(f'{where}: the tool "{name}" needs "{key}".', HINT)
    own = {key: value for key, value in values.items() if key not in EVERY}
    _check(own, f'{where}: the tool "{name}"')
    prompt = dict(values.get("prompt", {}))
    if "template" in values:
        prompt["template"] = values["template"]
    return Tool(
        name=name,
        via=via,
        values=own,
        price=_price(values.get("price"), where),
        prompt=prompt,
        seconds=_positive(values, "seconds", known.seconds, where),
        concurrency=int(_positive(values, "concurrency", known.concurrency, where)),
        tries=int(_positive(values, "tries", known.tries, where)),
    )


def _refuse_secret(key: str, whose: str) -> None:
    if key in SECRETS:
        raise PolyAssayError(
            f"{whose} must not have its key in a file.",
            "put it into a variable of the environment, and its name into api_key_env.",
        )


KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "model": (str, "text"),
    "base_url": (str, "text"),
    "api_key_env": (str, "the name of a variable"),
    "temperature": ((int, float), "a number"),
    "top_p": ((int, float), "a number"),
    "max_tokens": (int, "a whole number"),
    "seed": (int, "a whole number"),
    "stop": (list, "a list of texts"),
    "extra": (dict, "a table"),
    "stream": (bool, "true or false"),
    "native_n": (bool, "true or false"),
    "json": (bool, "true or false"),
    "suffix": (bool, "true or false"),
    "rpm": ((int, float), "a number"),
    "tpm": ((int, float), "a number"),
    "command": (list, "a list of a program and its arguments"),
    "version_command": (list, "a list of a program and its arguments"),
    "preset": (str, "the name of an agent that is known"),
    "path": (str, "a path"),
    "format": (str, "the name of a format"),
    "version": (str, "text"),
}


def _check(values: Mapping[str, Any], whose: str) -> None:
    for key, value in values.items():
        kind, told = KINDS.get(key, (object, ""))
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            wrong = True
        if told and wrong:
            raise PolyAssayError(f'{whose}: "{key}" must be {told}, found {value!r}.', HINT)
    url = urlsplit(str(values.get("base_url", "http://host")))
    if url.scheme not in ("http", "https") or not url.hostname:
        raise PolyAssayError(f"{whose}: base_url must begin with http:// or https://.", HINT)
    if url.username or url.password or url.query:
        raise PolyAssayError(
            f"{whose}: base_url must hold no user, password or query.",
            "keys come from the environment: api_key_env names the variable.",
        )


def _positive(values: Mapping[str, Any], key: str, default: float, where: str) -> float:
    value = values.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
        raise PolyAssayError(
            f'{where}: "{key}" must be a number above zero, found {value!r}.', HINT
        )
    return value


def _price(value: object, where: str) -> Price | None:
    if value is None:
        return None
    names = ("input", "output", "currency", "per", "cached", "as_of")
    if not isinstance(value, dict) or not {"input", "output"} <= value.keys() <= set(names):
        raise PolyAssayError(
            f"{where}: a price has input and output, and may have {', '.join(names[2:])}.", HINT
        )
    for key in ("input", "output", "per", "cached"):
        found = value.get(key, 1)
        if not isinstance(found, int | float) or isinstance(found, bool) or found < 0:
            raise PolyAssayError(f'{where}: "{key}" of a price must be a number.', HINT)
    return Price(**{**value, "as_of": str(value.get("as_of", ""))})
