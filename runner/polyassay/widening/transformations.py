"""Changes of a task's assertions that keep what is asked, as MBUPP's authors made them.

Each takes all cases of a task and gives them back changed, or None where it does not apply.
A transformation of arguments and one of results can be joined.
"""

import ast
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from polyassay.widening.assertions import CallAssertion, CallAssertions

Transformation = Callable[[CallAssertions], CallAssertions | None]
_NO = {"no", "not", "false", "invalid", "none", "never"}


def of_arguments(cases: CallAssertions) -> Iterator[tuple[str, CallAssertions]]:
    """By what is done to the arguments."""
    yield from _named(cases, {"ListToTuple": _arguments(list, tuple)})
    yield from _named(cases, {"TupleToList": _arguments(tuple, list)})
    yield from _permuted(cases)
    for name, fewer in _removed(cases):
        yield name, fewer
        for order, changed in _permuted(fewer):
            yield f"{name}--{order}", changed
    yield from _named(
        cases,
        {
            "NumToStr": _all_arguments((int, float), str),
            "StrToNum": _all_arguments(str, _number),
            "SingleToList": _single_argument,
            "Grouped": _grouped,
        },
    )


def of_results(cases: CallAssertions) -> Iterator[tuple[str, CallAssertions]]:
    """By what is done to the results."""
    yield from _named(
        cases,
        {
            "ListToTuple": _result(list, tuple),
            "TupleToList": _result(tuple, list),
            "CategoryToBool": _category,
            "PermuteResult": _reversed,
            "PermuteResult--TupleToList": _reversed_list,
            "NumToStr": _result((int, float), str),
            "TextToValue": _result(str, _literal),
            "SingleToList": _result((str, int, float), lambda value: [value]),
            "DictToPairs": _result(dict, lambda value: list(value.items())),
            "PairsToDict": _result(list, _as_dict),
            "AnyIterable": _any_iterable,
            "ShowCount": _shown_work,
        },
    )


def filters(cases: CallAssertions) -> Iterator[tuple[str, CallAssertions]]:
    """A validator of one value becomes a filter of a list, which changes both sides."""
    decided = _category(cases) or cases
    if all(type(case.value) is bool and len(case.arguments) == 1 for case in decided):
        yield (
            "ValidatorToFilter",
            tuple(
                CallAssertion(([case.arguments[0]],), [case.arguments[0]] if case.value else [])
                for case in decided
            ),
        )


def _named(
    cases: CallAssertions, table: dict[str, Transformation]
) -> Iterator[tuple[str, CallAssertions]]:
    for name, transformation in table.items():
        changed = transformation(cases)
        if changed is not None and repr(changed) != repr(cases):
            yield name, changed


def _permuted(cases: CallAssertions) -> Iterator[tuple[str, CallAssertions]]:
    count = len(cases[0].arguments)
    if not 2 <= count <= 4:
        return
    for order in list(permutations(range(count)))[1:]:
        changed = tuple(c.with_arguments([c.arguments[i] for i in order]) for c in cases)
        if repr(changed) != repr(cases):
            yield f"PermuteArgs{order}", changed


def _removed(cases: CallAssertions) -> Iterator[tuple[str, CallAssertions]]:
    """Without an argument that says how long another one is, or without all of these."""
    count = len(cases[0].arguments)
    redundant = [i for i in range(count) if all(_is_length(case, i) for case in cases)]
    choices: list[tuple[int, ...]] = [(place,) for place in redundant]
    if len(redundant) > 1:
        choices.insert(0, tuple(redundant))
    for out in choices:
        kept = [i for i in range(count) if i not in out]
        changed = tuple(c.with_arguments([c.arguments[i] for i in kept]) for c in cases)
        yield f"RemoveArgs{out}", changed


def _is_length(case: CallAssertion, place: int) -> bool:
    """Of another argument, of its first row, or the place of its last element."""
    others = [a for i, a in enumerate(case.arguments) if i != place and _has_length(a)]
    rows = [a[0] for a in others if len(a) and _has_length(a[0])]
    lengths = [len(each) for each in (*others, *rows)]
    return type(case.arguments[place]) is int and case.arguments[place] in lengths


def _has_length(value: Any) -> bool:
    return isinstance(value, list | tuple | str)


def _arguments(kind: type, change: Callable[[Any], Any]) -> Transformation:
    """Those arguments that are of the kind; at least one in every case."""

    def changed(cases: CallAssertions) -> CallAssertions | None:
        if not all(any(type(each) is kind for each in case.arguments) for case in cases):
            return None
        return tuple(
            c.with_arguments([change(a) if type(a) is kind else a for a in c.arguments])
            for c in cases
        )

    return changed


def _all_arguments(kind: type | tuple[type, ...], change: Callable[[Any], Any]) -> Transformation:
    kinds = kind if isinstance(kind, tuple) else (kind,)

    def changed(cases: CallAssertions) -> CallAssertions | None:
        if not all(type(each) in kinds for case in cases for each in case.arguments):
            return None
        new = [[change(each) for each in case.arguments] for case in cases]
        return tuple(case.with_arguments(some) for case, some in zip(cases, new, strict=True))

    return changed


def _result(kind: type | tuple[type, ...], change: Callable[[Any], Any]) -> Transformation:
    """Where every result is of the kind; those that cannot be changed stay."""
    kinds = kind if isinstance(kind, tuple) else (kind,)

    def changed(cases: CallAssertions) -> CallAssertions | None:
        if not cases or not all(type(case.value) in kinds for case in cases):
            return None
        return tuple(case.with_value(change(case.value)) for case in cases)

    return changed


def _literal(text: str) -> Any:
    """The value that a text is written like; the text itself where it is like none."""
    try:
        return ast.literal_eval(text.strip())
    except (SyntaxError, ValueError):
        return text


def _number(text: str) -> Any:
    value = _literal(text)
    return value if type(value) in (int, float) else text


def _as_dict(value: list[Any]) -> Any:
    pairs = all(isinstance(each, list | tuple) and len(each) == 2 for each in value)
    try:
        return dict(value) if value and pairs else value
    except TypeError:  # a key that cannot be one
        return value


def _single_argument(cases: CallAssertions) -> CallAssertions | None:
    if not all(len(case.arguments) == 1 for case in cases):
        return None
    if any(isinstance(case.arguments[0], list | tuple | dict) for case in cases):
        return None
    return tuple(case.with_arguments([[case.arguments[0]]]) for case in cases)


def _grouped(cases: CallAssertions) -> CallAssertions | None:
    """The arguments after the first, as one tuple."""
    if len(cases[0].arguments) < 3:
        return None
    return tuple(case.with_arguments([case.arguments[0], case.arguments[1:]]) for case in cases)


def _reversed(cases: CallAssertions) -> CallAssertions | None:
    if not all(type(c.value) in (tuple, list) and len(c.value) == 2 for c in cases):
        return None
    return tuple(case.with_value(type(case.value)(reversed(case.value))) for case in cases)


def _reversed_list(cases: CallAssertions) -> CallAssertions | None:
    return _result(tuple, list)(_reversed(cases) or ())


def _any_iterable(cases: CallAssertions) -> CallAssertions | None:
    if cases[0].wrapper or not all(type(case.value) is list for case in cases):
        return None
    return tuple(CallAssertion(case.arguments, case.value, "list") for case in cases)


def _category(cases: CallAssertions) -> CallAssertions | None:
    """Two texts of which one denies: "Found a match!" and "Not matched!" are True and False."""
    texts = {case.value for case in cases if isinstance(case.value, str)}
    if len(texts) not in (1, 2) or not all(isinstance(case.value, str) for case in cases):
        return None
    denying = {text for text in texts if _NO & set(text.lower().replace("!", "").split())}
    if len(denying) != len(texts) - 1 and not (len(texts) == 1 and len(denying) == 1):
        return None
    return tuple(case.with_value(case.value not in denying) for case in cases)


def _shown_work(cases: CallAssertions) -> CallAssertions | None:
    """The most common element, with how often it is there."""
    if len(cases[0].arguments) != 1:
        return None
    given = [case.arguments[0] for case in cases]
    counts = [
        list(elements).count(case.value) if _has_length(elements) else 0
        for elements, case in zip(given, cases, strict=True)
    ]
    if not all(counts):
        return None
    return tuple(c.with_value((c.value, count)) for c, count in zip(cases, counts, strict=True))
