"""Cuts the text of an output into the values that a person sees in it."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from polyassay.comparison.values import LIMIT

MISSING = "nan"  # however it is spelled
PLACES = 2
_LONGEST_NUMBER = 400  # characters; a longer row of digits is text
# A rounded number in exponent form: four digits, lest 1e+06 equals all from 0.5e6 up, and the first
# is no zero, lest 0.000e+99 equals everything.
_ROUNDED = re.compile(r"[-+]?[1-9]\.\d{3,}")

# Every repetition is bounded or ends where the next can start, so that no text takes long.
_TOKEN = re.compile(
    r"""
      (?P<missing>  <NA>|\b(?:nan|NaN|NaT|None)\b )
    | (?P<ignored>
          <[A-Za-z_][^<>\n]{0,400}>                        # the repr of an object, as of a plot
        | \b(?:dtype|freq|length|name|ordered)=(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|[\w.]{1,80})
        | \b(?:(?:np|numpy|pd|pandas)\.\w{1,40}|array|set|frozenset|Series|DataFrame|Counter
            |Timestamp|Timedelta|OrderedDict|dict_(?:keys|values|items)|\w{0,20}Index)(?=\()
      )
    | (?P<date>     \b\d{4}-\d\d-\d\d(?![\w-])(?P<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)? )
    | (?P<number>
          (?<![\w.])[-+\u2212]?
          (?:(?:\d{1,3}(?:,\d{3}){1,6}(?![\d,])|\d+)(?:\.\d*)?|\.\d+)
          (?:[eE][-+]?\d+)?(?!\w|\.\d)(?P<percent>[ ]?%)?
      )
    | (?P<opening>  [\[({] )
    | (?P<closing>  [\])}] )
    | (?P<word>     [^\s\[\](){},:;'"=|$€£]+ )
    """,
    re.VERBOSE,
)
_FOOTERS = ("Name: ", "Length: ", "Freq: ", "dtype: ")
_SIZE = re.compile(r"\[\d+ rows x \d+ columns\]")
_CATEGORIES = re.compile(r"Categories \(\d+, \w+\): ")
_SPELLED = str.maketrans({"\u2212": "-", ",": ""})


@dataclass(frozen=True, slots=True)
class Piece:
    """One number or word of an output."""

    key: float | str  # equal for equal pieces: a number to two places, or the word
    value: float = math.nan  # of a number, as written
    percent: bool = False
    coarse: float = 0.0  # by how much the number may have been rounded when it was written
    inside: bool = False  # within brackets
    line: int = 0

    @property
    def is_number(self) -> bool:
        """Whether it is a value where only numbers count; a missing one is."""
        return not isinstance(self.key, str) or self.key == MISSING


@dataclass(frozen=True, slots=True)
class Text:
    """An output's lines and values, without what pandas says about their type and number."""

    lines: list[str]
    values: list[Piece]
    series: bool  # whether pandas said any: then each line is an index and a value


def read(text: str) -> Text:
    lines, series = [], False
    for line in text[:LIMIT].splitlines():
        bare = line.strip()
        if bare.startswith(_FOOTERS) and "dtype: " in bare:
            series = True
        elif not _SIZE.fullmatch(bare) and not _CATEGORIES.match(bare):
            lines.append(line)
    return Text(lines, pieces(lines), series)


def pieces(lines: list[str]) -> list[Piece]:
    return list(_pieces(lines))


def _pieces(lines: list[str]) -> Iterator[Piece]:
    brackets: list[str] = []
    for number, line in enumerate(lines):
        for found in _TOKEN.finditer(line):
            kind, text = found.lastgroup, found[0]
            inside = bool(brackets)
            if found["opening"]:
                brackets.append(text)
            elif found["closing"]:
                del brackets[-1:]
            elif found["missing"]:
                yield Piece(MISSING, inside=inside, line=number)
            elif found["date"]:
                midnight = (found["time"] or "").strip("T :0.") == ""
                yield Piece(text[:10] if midnight else text, inside=inside, line=number)
            elif found["number"]:
                for part in _separated(found, brackets):
                    yield _number(part, bool(found["percent"]), inside, number)
            elif kind == "word" and (key := _word(text)):
                yield Piece(key, inside=inside, line=number)


def _separated(found: re.Match[str], brackets: list[str]) -> list[str]:
    """Within a list, a comma stands between numbers; elsewhere it groups thousands."""
    text = found["number"]
    listed = brackets and brackets[-1] in "[{"
    quoted = found.string[found.start() - 1 : found.start()] in ("'", '"')
    return text.split(",") if listed and not quoted else [text]


def _number(text: str, percent: bool, inside: bool, line: int) -> Piece:
    bare = text.rstrip(" %").translate(_SPELLED)
    if len(bare) > _LONGEST_NUMBER:
        return Piece(bare, inside=inside, line=line)
    value = float(bare)
    key = round(value, PLACES) if math.isfinite(value) else value
    return Piece(key, value, percent, _coarse(bare), inside, line)


def _coarse(text: str) -> float:
    """Half a unit of the last place, where that was written: what rounding may have changed."""
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if not exponent:
        return 0.5 * 10.0**-decimals if decimals >= PLACES else 0.0
    if not _ROUNDED.fullmatch(mantissa) or len(exponent) > 4:
        return 0.0
    return 0.5 * 10.0 ** min(int(exponent) - decimals, 300)  # 10.0 ** 309 raises


def _word(text: str) -> str:
    if set(text) == {"."}:
        return "..."
    bare = text.strip(".!?")
    return bare if any(character.isalnum() for character in bare) else ""


def same(one: Piece, other: Piece) -> bool:
    """Whether a person would call the two equal."""
    if one.key == other.key:
        return True
    coarse = max(one.coarse, other.coarse)
    return coarse > 0.0 and abs(one.value - other.value) <= coarse * (1 + 1e-6)


def same_all(some: list[Piece], others: list[Piece]) -> bool:
    return len(some) == len(others) and all(map(same, some, others))
