"""Rubrics are data: a TOML file names dimensions, their points, and the wording of each."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.rubric.toml_lines import Table, tables

SHIPPED = Path(__file__).parent / "rubrics"
DEFAULT = "aixbench"
HINT = "`docs/grading.md` shows a whole rubric; the shipped one is named aixbench."

Words = Mapping[str, str]  # language → text


@dataclass(frozen=True, slots=True)
class Point:
    score: int
    label: Words  # a few words that fit on the dimension's line
    text: Words  # the whole wording


@dataclass(frozen=True, slots=True)
class Dimension:
    id: str
    name: Words
    points: tuple[Point, ...]  # one a score, ascending, without gaps
    wrong_up_to: int | None = None  # up to this score graders call the answer wrong

    @property
    def low(self) -> int:
        return self.points[0].score

    @property
    def high(self) -> int:
        return self.points[-1].score


@dataclass(frozen=True, slots=True)
class Rubric:
    name: str
    title: Words
    rule: Words  # what holds for every item
    dimensions: tuple[Dimension, ...]
    text: str  # the file, kept with the scores

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.title)

    @property
    def scales(self) -> dict[str, tuple[int, int]]:
        """Dimension → lowest and highest score: what may not change once scores were given."""
        return {dimension.id: (dimension.low, dimension.high) for dimension in self.dimensions}

    def dimension(self, name: str) -> Dimension | None:
        return next((d for d in self.dimensions if d.id == name), None)


def load(name: str) -> Rubric:
    """A shipped rubric by its name, or a team's own by the path of its file."""
    path = SHIPPED / f"{name}.toml"
    if not path.is_file() or "/" in name:
        path = Path(name)
    if not path.is_file():
        shipped = ", ".join(sorted(file.stem for file in SHIPPED.glob("*.toml")))
        raise PolyAssayError(
            f'There is no rubric "{name}".', hint=f"Shipped: {shipped}. Or give a TOML file's path."
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PolyAssayError(f"{path}, line {line}: this is not UTF-8.", HINT) from None
    except OSError as error:
        raise PolyAssayError(f"{path} cannot be read: {error.strerror}.", HINT) from None
    return parse(text, str(path))


def parse(text: str, place: str) -> Rubric:
    """The rubric in a file's text; a PolyAssayError names the line that is wrong."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolyAssayError(_syntax_problem(str(error), place, text), HINT) from None
    top = tables(text, values, place)
    top.allow("name", "title", "rule", "dimensions")
    title = _words(top.table("title"), None)
    rubric = Rubric(
        name=_name(top, "name"),
        title=title,
        rule=_words(top.table("rule"), title) if "rule" in top else dict.fromkeys(title, ""),
        dimensions=tuple(_dimension(table, title) for table in top.list("dimensions")),
        text=text,
    )
    seen: set[str] = set()
    for table, dimension in zip(top.list("dimensions"), rubric.dimensions, strict=True):
        if dimension.id in seen:
            table.refuse("id", f'"{dimension.id}" names another dimension already')
        seen.add(dimension.id)
    return rubric


def _syntax_problem(message: str, place: str, text: str) -> str:
    """tomllib says `Expected … (at line 3, column 5)`; the line belongs in front."""
    what, _, position = message.rstrip(")").rpartition(" (at ")
    if not position.startswith("line"):
        position = f"line {text.count(chr(10)) + 1}"
    return f"{place}, {position.partition(',')[0]}: {what.lower()}."


def _dimension(table: Table, languages: Words) -> Dimension:
    table.allow("id", "name", "points", "wrong_up_to")
    points = tuple(_point(point, languages) for point in table.list("points"))
    if len(points) < 2:
        table.refuse("points", "must be at least two, each in a [[dimensions.points]] table")
    for before, point, place in zip(points, points[1:], table.list("points")[1:], strict=False):
        if point.score != before.score + 1:
            place.refuse("score", f"must be {before.score + 1}, found {point.score}")
    wrong = table.whole("wrong_up_to") if "wrong_up_to" in table else None
    if wrong is not None and not points[0].score <= wrong < points[-1].score:
        table.refuse("wrong_up_to", f"must be a score below {points[-1].score}, found {wrong}")
    return Dimension(_name(table, "id"), _words(table.table("name"), languages), points, wrong)


def _point(table: Table, languages: Words) -> Point:
    table.allow("score", "label", "text")
    score = table.whole("score")
    if not 0 <= score <= 9:
        table.refuse("score", f"must be one key, 0 to 9, found {score}")
    label = _words(table.table("label"), languages)
    return Point(score, label, _words(table.table("text"), languages) if "text" in table else label)


def _words(table: Table, languages: Words | None) -> dict[str, str]:
    """A text in every language of the rubric, which the title fixes."""
    found = {language: table.text(language) for language in table.keys}
    if languages is None:
        if not found:
            table.refuse("", "needs at least one language, as in `en = …`")
        return found
    for language in languages:
        if language not in found:
            table.refuse("", f'has no wording in "{language}", which the title has')
    return {language: found[language] for language in languages}


def _name(table: Table, key: str) -> str:
    name = table.text(key)
    if not name.replace("-", "_").isidentifier():
        table.refuse(key, f'must be a plain word, found "{name}"')
    return name


def language_of(rubric: Rubric, wanted: str) -> str:
    """The language of the wording that a grader asked for."""
    if wanted in rubric.languages:
        return wanted
    raise PolyAssayError(
        f'The rubric "{rubric.name}" has no wording in "{wanted}".',
        hint=f"It has {', '.join(rubric.languages)}.",
    )
