"""The values in a cell's output, and the result of a comparison with the expected ones."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

LIMIT = 1 << 16  # characters of an output that are read


class AnswerType(StrEnum):
    """The kinds of ExeDS."""

    NUMBER = "number"
    NUMBERS = "array number"
    TUPLES = "array tuple"
    TEXTS = "array str"
    FRAME = "df"
    TEXT = "str"


class CellFailure(StrEnum):
    """Why a cell is not right: what it raised, else what it showed (the paper's Tables 6, 7)."""

    UNDEFINED_NAME = "undefined name"
    UNDEFINED_API = "undefined API"
    WRONG_SCHEMA = "wrong schema"
    SYNTAX = "syntax"
    OTHER = "other error"
    NO_OUTPUT = "no output"
    TOO_MUCH = "too much output"
    PARTLY = "partly right"
    WRONG = "wrong"


_RAISED = {
    "NameError": CellFailure.UNDEFINED_NAME,
    "UnboundLocalError": CellFailure.UNDEFINED_NAME,
    "AttributeError": CellFailure.UNDEFINED_API,
    "ImportError": CellFailure.UNDEFINED_API,
    "ModuleNotFoundError": CellFailure.UNDEFINED_API,
    "KeyError": CellFailure.WRONG_SCHEMA,
    "ValueError": CellFailure.WRONG_SCHEMA,
    "IndexError": CellFailure.WRONG_SCHEMA,
    "SyntaxError": CellFailure.SYNTAX,
    "IndentationError": CellFailure.SYNTAX,
    "TabError": CellFailure.SYNTAX,
}


@dataclass(frozen=True, slots=True)
class CellOutput:
    """The texts that a cell left below itself; pictures and warnings are not among them."""

    shown: str = ""  # all of it, in the order in which a person sees it
    printed: str = ""  # the standard output alone
    result: str = ""  # the value of the last line alone
    error: str = ""  # the class of the exception that ended the cell


@dataclass(frozen=True, slots=True)
class Match:
    equal: bool
    f1: float
    failure: CellFailure | None = None  # None where it is equal


Rule = Callable[[AnswerType, Sequence[str], CellOutput], Match]


def raised(output: CellOutput) -> Match:
    """A cell that raised is wrong, whatever it had shown before."""
    return Match(False, 0.0, _RAISED.get(output.error, CellFailure.OTHER))


def f1_of(found: Sequence[Hashable], expected: Sequence[Hashable]) -> float:
    """F1 over the pieces, however they are ordered."""
    same = (Counter(found) & Counter(expected)).total()
    return 2 * same / (len(found) + len(expected)) if same else 0.0
