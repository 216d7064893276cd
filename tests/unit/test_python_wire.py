"""What crosses between worker and judge arrives as plain data, or as a handle."""

import collections
import datetime
import decimal
import fractions
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyassay_harness.crossing.values import CannotCross, Decoder, Encoder, Malformed

scalars = st.none() | st.booleans() | st.integers() | st.text() | st.binary()
scalars |= st.floats(allow_nan=False) | st.complex_numbers(allow_nan=False)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(scalars, inner)
        | st.sets(scalars)
        | st.frozensets(scalars)
    ),
    max_leaves=20,
)


def across(value: Any, **options: Any) -> Any:
    form = json.loads(json.dumps(Encoder(**options).encode(value)))
    return Decoder(lambda tag, *form: ("handle", *form)).decode(form)


def kinds(value: Any) -> Any:
    """A value's types, all the way down."""
    if isinstance(value, dict):
        return dict, [(kinds(key), kinds(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [kinds(item) for item in value]
    return type(value)


@given(values)
def test_plain_values_arrive_equal_and_of_the_same_types(value: Any) -> None:
    arrived = across(value)
    assert arrived == value
    assert kinds(arrived) == kinds(value)


@pytest.mark.parametrize(
    "value",
    [
        decimal.Decimal("1.10"),
        fractions.Fraction(1, 3),
        datetime.datetime(2020, 1, 2, 3, 4, tzinfo=datetime.UTC),
        datetime.timedelta(days=1, microseconds=5),
        collections.Counter("aab"),
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(list, a=[1]),
        collections.deque([1, 2], maxlen=3),
        bytearray(b"ab"),
        range(1, 9, 2),
        int,
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_of_the_standard_library(value: Any) -> None:
    arrived = across(value)
    assert arrived == value
    assert type(arrived) is type(value)


def test_aliases_and_cycles_survive() -> None:
    inner = [1]
    first, second = across((inner, inner))
    assert first is second
    loop: list[Any] = []
    loop.append(loop)
    arrived = across(loop)
    assert arrived[0] is arrived


class Loud(list[int]):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Quiet(list[int]):
    def __iter__(self) -> Any:
        return iter([7])


def test_a_subclass_is_data_only_if_it_compares_as_its_base_and_then_by_what_it_holds() -> None:
    form = Encoder(lambda value: ["h", 3, "Loud"]).encode(Loud([1]))
    assert form == ["h", 3, "Loud"]
    assert across(Quiet([1])) == [1]


def test_what_is_no_data_cannot_cross_without_a_handle() -> None:
    with pytest.raises(CannotCross, match="function"):
        Encoder().encode(lambda: 0)


@pytest.mark.parametrize(
    "form",
    [
        {"an": "object"},
        ["?"],
        [],
        ["m", 5, ["l", []]],
        ["r", 0],
        ["r", -1],
        ["k", "no such type"],
        ["k", "exec"],
        ["T", "date", [1, 2], None],
        ["D", "x"],
        ["m", 0, ["a", "|O8", [1], "AAAAAAAAAAA="]],
        ["h", "0", "kind"],
        ["m", 0, ["d", [[["m", 1, ["l", []]], 1]]]],
    ],
)
def test_nonsense_is_malformed(form: Any) -> None:
    with pytest.raises(Malformed):
        Decoder(lambda tag, *form: {}[tag]).decode(form)
