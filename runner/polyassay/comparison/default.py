"""The comparison that a person would make: by the values that both texts show, in their order."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from polyassay.comparison.pieces import Piece, Text, pieces, read, same, same_all
from polyassay.comparison.values import (
    AnswerType,
    CellFailure,
    CellOutput,
    Match,
    f1_of,
    raised,
)

_LABEL = re.compile(r"\s{0,20}[A-Za-z][^:=\n\[\](){}]{0,80}?(?::|=|->|\bis\b|\bare\b)\s+(?=\S)")
# An answer that is this little of what was shown is there by accident.
_ENOUGH = 0.25


def compare(answer_type: AnswerType, accepted: Sequence[str], output: CellOutput) -> Match:
    """The best match of what was shown with any accepted answer."""
    if output.error:
        return raised(output)
    shown = read(output.shown)
    if not shown.values:
        return Match(False, 0.0, CellFailure.NO_OUTPUT)
    answers = [read(answer) for answer in accepted]
    matches = [_compare(answer_type, answer, shown) for answer in answers if answer.values]
    return max(matches, key=_goodness, default=Match(False, 0.0, CellFailure.WRONG))


def _goodness(match: Match) -> tuple[bool, bool, float]:
    return match.equal, match.failure is CellFailure.TOO_MUCH, match.f1


def _compare(answer_type: AnswerType, answer: Text, shown: Text) -> Match:
    expected, found = answer.values, shown.values
    only_numbers = _only_numbers(answer_type, expected)
    if only_numbers:
        expected, found = _numbers(expected), _numbers(found)
    if _equal(answer, shown, only_numbers):
        return Match(True, 1.0)
    f1 = f1_of([piece.key for piece in found], [piece.key for piece in expected])
    if _stands_in(expected, found) or (f1 >= _ENOUGH and _in_order(expected, found)):
        return Match(False, f1, CellFailure.TOO_MUCH)
    return Match(False, f1, CellFailure.PARTLY if f1 >= _ENOUGH else CellFailure.WRONG)


def _only_numbers(answer_type: AnswerType, expected: list[Piece]) -> bool:
    """Whether all words explain numbers; those that a list holds are values beside them."""
    if not _numbers(expected):
        return False
    words = [piece for piece in expected if not piece.is_number]
    if answer_type is AnswerType.NUMBERS:
        return not any(word.inside for word in words)
    return answer_type is AnswerType.NUMBER or not words


def _numbers(values: list[Piece]) -> list[Piece]:
    return [piece for piece in values if piece.is_number]


def _equal(answer: Text, shown: Text, only_numbers: bool) -> bool:
    mine = [answer.values, *_unnumbered(answer)]
    theirs = [shown.values, *_unnumbered(shown)]
    if only_numbers:
        mine, theirs = list(map(_numbers, mine)), list(map(_numbers, theirs))
        if _same_share(mine[0], theirs[0]):
            return True
    else:
        theirs += [pieces(list(map(_unlabelled, shown.lines))), *_inside_brackets(shown)]
        if len(answer.lines) == 1:  # the labels of several lines are part of the answer
            mine.append(pieces(list(map(_unlabelled, answer.lines))))
    return any(same_all(one, other) for one in mine for other in theirs)


def _same_share(expected: list[Piece], found: list[Piece]) -> bool:
    """A lone percentage equals its fraction: 84.11 % and 0.8411, with the sign or without."""
    if len(expected) != 1 or len(found) != 1:
        return False
    for percentage, fraction in ((expected[0], found[0]), (found[0], expected[0])):
        plain = 1 < percentage.value < 100 and percentage.value % 1 > 0 and 0 < fraction.value < 1
        if (percentage.percent or plain) and not fraction.percent:
            return round(percentage.value / 100, 2) == fraction.key
    return False


def _unlabelled(line: str) -> str:
    label = _LABEL.match(line)
    return line[label.end() :] if label else line


def _inside_brackets(text: Text) -> Iterator[list[Piece]]:
    """The values of lists alone, where text around explains them."""
    inside = [piece for piece in text.values if piece.inside]
    if inside:
        yield inside


def _unnumbered(text: Text) -> Iterator[list[Piece]]:
    """A series or data frame without its row numbers 0, 1, … or its index' name."""
    rows = [list(row) for _, row in groupby(text.values, key=lambda piece: piece.line)]
    if text.series and len(rows) > 1 and len(rows[0]) == 1 < len(rows[1]):
        rows = rows[1:]
        yield list(chain(*rows))
    header, body = ([], rows) if text.series else (rows[:1], rows[1:])
    if not body or (header and len(header[0]) != len(body[0]) - 1):
        return
    if all(len(row) > 1 and row[0].key == index for index, row in enumerate(body)):
        yield list(chain(*header, *(row[1:] for row in body)))


def _in_order(expected: list[Piece], found: list[Piece]) -> bool:
    """Whether all that is expected is there, with other pieces between."""
    rest = iter(found)
    return all(any(same(piece, other) for other in rest) for piece in expected)


def _stands_in(expected: list[Piece], found: list[Piece]) -> bool:
    """Whether whole lines of what was shown are what is expected."""
    keys = [piece.key for piece in expected]
    if len(keys) >= len(found):
        return False
    back = _fallbacks(keys)
    matched = 0
    for index, piece in enumerate(found):
        while matched and (matched == len(keys) or piece.key != keys[matched]):
            matched = back[matched]
        matched += piece.key == keys[matched]
        if matched == len(keys) and _whole_lines(found, index + 1 - matched, index + 1):
            return True
    return False


def _whole_lines(found: list[Piece], start: int, end: int) -> bool:
    starts = start == 0 or found[start - 1].line != found[start].line
    return starts and (end == len(found) or found[end].line != found[end - 1].line)


def _fallbacks(keys: list[float | str]) -> list[int]:
    """How much of the beginning still matches after a mismatch (Knuth, Morris and Pratt)."""
    back = [0, 0]
    for key in keys[1:]:
        matched = back[-1]
        while matched and key != keys[matched]:
            matched = back[matched]
        back.append(matched + (key == keys[matched]))
    return back
