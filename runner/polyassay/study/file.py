"""study.toml: suites, tools, settings and samples."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.generate.tools import SAMPLING, Tool, tool_from
from polyassay.measures.table import HEADLINE
from polyassay.model import is_time_limit
from polyassay.prompts import PromptSettings, settings_from
from polyassay.prompts.settings import NAMES
from polyassay.study.lines import StudyLines
from polyassay.wording import did_you_mean

HINT = "`docs/studies.md` shows a whole study; `polyassay init` writes one."
NO_TOOL = "say which tools there are: [[tool]] with name, via and path; docs/studies.md shows all."
TOP = ("suites", "samples", "limit", "prompt_languages", "send_to", "answers", "report", "tool")
TABLES = ("prompt", "vary", "compare", "run")
COMPARE = ("baseline", "measure", "margin")
RUN = ("eval_tests", "test_seed", "jobs", "timeout")


@dataclass(frozen=True, slots=True)
class Study:
    path: Path
    suites: tuple[str, ...]
    tools: tuple[Tool, ...]
    samples: int = 1
    limit: int | None = None
    languages: tuple[str, ...] = ()
    settings: PromptSettings = field(default_factory=PromptSettings)
    vary: Mapping[str, tuple[Any, ...]] | None = None  # setting → its values
    send_to: tuple[str, ...] = ()
    baseline: str = ""
    measure: str = HEADLINE.name
    margin: float | None = None
    run: Mapping[str, Any] | None = None  # flags of `polyassay run`
    answers: Path = Path("answers")  # a folder, one file a tool or variant
    report: Path = Path("report")

    @property
    def varied(self) -> dict[str, tuple[Any, ...]]:
        """What makes variants; a prompt language makes none, because each is asked of every one."""
        return {k: v for k, v in (self.vary or {}).items() if k != "prompt_language"}


def read_study(path: Path) -> Study:
    try:
        text = path.read_text("utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        raise PolyAssayError(f"{path} cannot be read: {error.strerror}.", HINT) from None
    except UnicodeDecodeError:
        raise PolyAssayError(f"{path} is not UTF-8.", HINT) from None
    except tomllib.TOMLDecodeError as error:
        raise PolyAssayError(f"{path} is not TOML: {error}.", HINT) from None
    return _Reader(path, values, StudyLines(path.name, text)).study()


class _Reader:
    def __init__(self, path: Path, values: Mapping[str, Any], lines: StudyLines) -> None:
        self._path, self._values, self._lines = path, values, lines

    def study(self) -> Study:
        self._known("", (*TOP, *TABLES))
        compare, run = self._table("compare", COMPARE), self._run()
        languages = self._texts("prompt_languages")
        vary = self._vary()
        if "prompt_language" in vary:
            languages = tuple(str(value) for value in vary["prompt_language"])
        stem = self._path.stem
        tools = self._tools()
        return Study(
            path=self._path,
            suites=self._texts("suites") or self._refuse("", "suites", "names no suite"),
            tools=tools,
            samples=self._count("samples", 1),
            limit=self._count("limit", None),
            languages=languages,
            settings=self._settings(),
            vary=vary,
            send_to=self._texts("send_to"),
            baseline=self._baseline(compare, tools),
            measure=str(compare.get("measure", HEADLINE.name)),
            margin=self._margin(compare),
            run=run,
            answers=self._folder("answers", f"{stem}-answers"),
            report=self._folder("report", f"{stem}-report"),
        )

    def _run(self) -> dict[str, Any]:
        """Refused before anything is asked, and not when it is judged."""
        found = self._table("run", RUN)
        for key, value in found.items():
            whole = isinstance(value, int) and not isinstance(value, bool)
            if key == "timeout" and not is_time_limit(value):
                self._refuse("run", key, f"must be seconds that a test can have, found {value!r}")
            if key != "timeout" and not (whole and value >= (key != "test_seed")):
                self._refuse("run", key, f"must be a whole number above zero, found {value!r}")
        return found

    def _folder(self, key: str, usual: str) -> Path:
        """Beside the study, wherever the command is started."""
        name = self._values.get(key, usual)
        if not isinstance(name, str) or not name:
            self._refuse("", key, "must be the path of a folder")
        return Path(os.path.normpath(self._path.parent / name))

    def _known(self, table: str, names: tuple[str, ...]) -> None:
        values = self._values if not table else self._values[table]
        for key in values:
            if key not in names:
                where = self._lines.place(table if table else "", key)
                if not table and isinstance(values[key], dict):
                    where = self._lines.place(key)
                hint = did_you_mean(key, names) + f"known are {', '.join(names)}."
                raise PolyAssayError(f'{where}: a study has no "{key}" here.', hint)

    def _table(self, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
        value: Any = self._values.get(name, {})
        if not isinstance(value, dict):
            self._refuse("", name, "must be a table")
        if value:
            self._known(name, keys)
        return dict(value)

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._refuse("", key, "must be a list of texts")
        return tuple(value)

    def _count(self, key: str, default: Any) -> Any:
        value = self._values.get(key, default)
        whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if value is not None and not whole:
            self._refuse("", key, f"must be a whole number above zero, found {value!r}")
        return value

    def _settings(self) -> PromptSettings:
        value = self._table("prompt", NAMES)
        found: PromptSettings = self._told("prompt", "", lambda: settings_from(value))
        return found

    def _tools(self) -> tuple[Tool, ...]:
        values = self._values.get("tool", [])
        if not isinstance(values, list) or not values:
            raise PolyAssayError(f"{self._path.name} has no [[tool]].", NO_TOOL)
        tools: list[Tool] = []
        for number, value in enumerate(values):
            where = self._lines.place(f"tool.{number}")
            tool = tool_from(value, where)
            settings_from(tool.prompt)  # says what is wrong with them
            if tool.name in [other.name for other in tools]:
                raise PolyAssayError(f'{where}: there are two tools "{tool.name}".', HINT)
            tools.append(tool)
        return tuple(tools)

    def _vary(self) -> dict[str, tuple[Any, ...]]:
        known = (*NAMES, *(name for name in SAMPLING if name != "extra"))
        found = {}
        for key, value in self._table("vary", known).items():
            if not isinstance(value, list) or not value:
                self._refuse("vary", key, "must be a list of values")
            if len(value) != len({repr(one) for one in value}):
                self._refuse("vary", key, "has a value twice")
            if key in NAMES:
                for one in value:
                    self._told("vary", key, lambda one=one, key=key: settings_from({key: one}))
            found[key] = tuple(value)
        return found

    def _baseline(self, compare: Mapping[str, Any], tools: tuple[Tool, ...]) -> str:
        name = str(compare.get("baseline", ""))
        if name and name.partition("[")[0] not in [tool.name for tool in tools]:
            hint = did_you_mean(name, [tool.name for tool in tools])
            where = self._lines.place("compare", "baseline")
            raise PolyAssayError(f'{where}: there is no tool "{name}".', hint + HINT)
        return name

    def _margin(self, compare: Mapping[str, Any]) -> float | None:
        value = compare.get("margin")
        if value is not None and not (isinstance(value, int | float) and 0 < value < inf):
            self._refuse("compare", "margin", "must be a number of points above zero")
        return value

    def _refuse(self, table: str, key: str, problem: str) -> Any:
        raise PolyAssayError(f'{self._lines.place(table, key)}: "{key}" {problem}.', HINT)

    def _told(self, table: str, key: str, make: Any) -> Any:
        try:
            return make()
        except PolyAssayError as error:
            problem = f"{self._lines.place(table, key)}: {error.problem}"
            raise PolyAssayError(problem, error.hint) from None
