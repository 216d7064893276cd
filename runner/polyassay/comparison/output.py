"""Compares what a program printed with what it should have printed; pure, and in linear time.

By default white space at the end of a line and empty lines at the end do not count, as is usual
where programs are judged. A task, or its whole suite, may say otherwise in `extra`:
`output` = "exact" compares character by character; `tolerance` = "1e-6" lets numbers differ by so
much, absolutely or relatively, whichever is more.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

EXACT, TRIMMED = "exact", "trimmed"
_SHOWN = 80  # characters of an output on either side of where it goes wrong
_NUMBER = re.compile(r"[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?")


@dataclass(frozen=True, slots=True)
class OutputRule:
    exact: bool = False
    tolerance: float = 0.0


def rule_of(extra: Mapping[str, str]) -> OutputRule:
    """The rule that a task declares; a ValueError says what is wrong with it."""
    kind, tolerance = extra.get("output", TRIMMED), extra.get("tolerance", "0")
    if kind not in (EXACT, TRIMMED):
        raise ValueError(f'"output" must be "{EXACT}" or "{TRIMMED}"')
    if not _NUMBER.fullmatch(tolerance) or not 0 <= float(tolerance) < 1:
        raise ValueError('"tolerance" must be a number from 0 to 1, as text')
    if kind == EXACT and float(tolerance):
        raise ValueError('"tolerance" does not go with "output" = "exact"')
    return OutputRule(kind == EXACT, float(tolerance))


def difference(rule: OutputRule, expected: str, printed: bytes) -> str:
    """Where they differ, in a line; empty where they are the same."""
    found = printed.decode("utf-8", "replace")
    if rule.exact:
        same = printed == expected.encode("utf-8", "surrogatepass")
        return "" if same else _character(expected, found)
    wanted, got = _lines(expected), _lines(found)
    for number, (one, other) in enumerate(zip(wanted, got, strict=False), start=1):
        if one != other and not (rule.tolerance and _near(one, other, rule.tolerance)):
            return _told(number, *_around(one, other))
    if len(wanted) != len(got):
        last = min(len(wanted), len(got))
        shown = [
            repr(lines[last][:_SHOWN]) if lines[last:] else "no line" for lines in (wanted, got)
        ]
        return f"line {last + 1}: expected {shown[0]} but was {shown[1]}"
    return ""


def _lines(text: str) -> list[str]:
    r"""Without white space at the ends; \r\n ends a line as \n does, and nothing else does."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def _near(expected: str, found: str, tolerance: float) -> bool:
    wanted, got = expected.split(), found.split()
    return len(wanted) == len(got) and all(
        one == other or _near_number(one, other, tolerance)
        for one, other in zip(wanted, got, strict=True)
    )


def _near_number(expected: str, found: str, tolerance: float) -> bool:
    if not (_NUMBER.fullmatch(expected) and _NUMBER.fullmatch(found)):
        return False
    one, other = float(expected), float(found)
    if not (math.isfinite(one) and math.isfinite(other)):
        return False
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def _character(expected: str, found: str) -> str:
    line = expected.count("\n", 0, _place(expected, found)) + 1
    return _told(line, *_around(expected, found))


def _place(expected: str, found: str) -> int:
    pairs = enumerate(zip(expected, found, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(expected), len(found)))


def _around(expected: str, found: str) -> tuple[str, str]:
    start = max(_place(expected, found) - _SHOWN // 2, 0)
    return expected[start : start + _SHOWN], found[start : start + _SHOWN]


def _told(line: int, expected: str, found: str) -> str:
    return f"line {line}: expected {expected!r} but was {found!r}"
