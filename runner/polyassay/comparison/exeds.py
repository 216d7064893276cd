"""The rule of ExeDS' published evaluator, without its defects.

The standard output, else the last line's value, is compared as text, then by its type's pieces.
Not copied: a blank accepted answer accepts nothing, and 1e-05 and 1,234 are one number each.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from polyassay.comparison.values import (
    LIMIT,
    AnswerType,
    CellFailure,
    CellOutput,
    Match,
    f1_of,
    raised,
)

_NUMBER = re.compile(r"-?\d{1,400}(?:\.\d{0,400})?(?:[eE][-+]?\d{1,4})?")
_THOUSANDS = re.compile(r"(?<![\d,.])(\d{1,3}(?:,\d{3}){1,6})(?![\d,])")
_NUMPY = re.compile(r"\bnp\.\w{1,20}(?=\()")  # np.float64(0.5), which older releases print as 0.5
_SEPARATOR = re.compile(r"['\n\",;()\[\]]")

Reading = list[float] | list[str]


def compare(answer_type: AnswerType, accepted: Sequence[str], output: CellOutput) -> Match:
    if output.error:
        return raised(output)
    text = _NUMPY.sub("", (output.printed or output.result)[:LIMIT])
    if not text.strip():
        return Match(False, 0.0, CellFailure.NO_OUTPUT)
    answers = [_NUMPY.sub("", answer) for answer in accepted if answer.strip()]
    if text in answers or text.removesuffix("\n") in answers:
        return Match(True, 1.0)
    read_answer, read_output = _READERS[answer_type]
    expected, found = [read_answer(answer) for answer in answers], read_output(text)
    # Of texts, any one piece may be the answer.
    pieces = {piece for reading in found for piece in reading} if answer_type in _ALONE else set()
    if any(e in found or (len(e) == 1 and e[0] in pieces) for e in expected):
        return Match(True, 1.0)
    whole = [f1_of(reading, e) for reading in found for e in expected]
    alone = [2 / (1 + len(e)) for e in expected if not pieces.isdisjoint(e)]
    f1 = max((*whole, *alone), default=0.0)
    if any(len(found[0]) > len(e) and _in_order(e, found[0]) for e in expected):
        return Match(False, f1, CellFailure.TOO_MUCH)
    return Match(False, f1, CellFailure.PARTLY if f1 else CellFailure.WRONG)


def _in_order(expected: Reading, found: Reading) -> bool:
    rest = iter(found)
    return bool(expected) and all(piece in rest for piece in expected)


def _numbers(text: str) -> list[float]:
    if "[" not in text:  # there, commas stand between numbers
        text = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), text)
    return [float(number) for number in _NUMBER.findall(text)]


def _rounded(text: str) -> Reading:
    return [round(number, 2) if math.isfinite(number) else number for number in _numbers(text)]


def _number(text: str) -> list[Reading]:
    """A single number also as a percentage, or as the fraction that a percentage means."""
    readings, numbers = [_rounded(text)], _numbers(text)
    if len(numbers) == 1 and 0 < numbers[0] < 1:
        readings.append([round(numbers[0] * 100, 2)])
    if len(numbers) == 1 and 1 < numbers[0] < 100:
        readings.append([round(numbers[0] / 100, 2)])
    return readings


def _pieces(text: str) -> list[str]:
    return [piece for piece in _SEPARATOR.split(text) if piece.strip(" ")]


def _texts(text: str) -> list[str]:
    return [piece.strip(" ") for piece in _pieces(text)]


def _words(text: str) -> list[str]:
    return [word for piece in _pieces(text) for word in piece.split(" ") if word]


_ALONE = (AnswerType.TEXTS, AnswerType.TEXT)
_READERS: Mapping[
    AnswerType, tuple[Callable[[str], Reading], Callable[[str], Sequence[Reading]]]
] = {
    AnswerType.NUMBER: (_rounded, _number),
    AnswerType.NUMBERS: (_rounded, lambda text: [_rounded(text)]),
    AnswerType.TUPLES: (_rounded, lambda text: [_rounded(text)]),
    AnswerType.TEXTS: (_texts, lambda text: [_texts(text), _words(text)]),
    AnswerType.FRAME: (_pieces, lambda text: [_pieces(text)]),
    AnswerType.TEXT: (lambda text: [text], lambda text: [_pieces(text)]),
}
