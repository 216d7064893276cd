"""What crosses between worker and judge arrives as plain data, or as a handle."""

import array
import collections
import datetime
import decimal
import enum
import fractions
import json
import types
import uuid
import zoneinfo
from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyassay_harness.crossing.values import CannotCross, Decoder, Encoder, Malformed

scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.text() | st.binary()
)
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
        datetime.datetime(2020, 1, 2, tzinfo=zoneinfo.ZoneInfo("UTC"), fold=1),
        datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=1), "CET")),
        datetime.timezone(datetime.timedelta(hours=-3), "odd"),
        types.MappingProxyType({"a": [1]}),
        collections.UserDict(a=1),
        collections.UserList([1, 2]),
        collections.UserString("ab"),
        collections.ChainMap[str, Any]({"a": 1}, {"b": [2]}),
        uuid.UUID(int=5),
        memoryview(array.array("i", [1, 300])),
        numpy.dtype("<f8"),
        int,
    ],
    ids=lambda value: type(value).__name__,
)
def test_data_of_the_standard_library(value: Any) -> None:
    arrived = across(value)
    assert arrived == value
    assert type(arrived) is type(value)


@pytest.mark.parametrize("kind", ["keys", "items"])
def test_views_of_ordered_dicts_are_views(kind: str) -> None:
    view = getattr(collections.OrderedDict(b=1, a=2), kind)()
    arrived = across(view)
    assert list(arrived) == list(view)
    assert arrived == view


@pytest.mark.parametrize(
    ("zone", "name"),
    [(datetime.timezone(datetime.timedelta(hours=1), "CET"), "CET"), (datetime.UTC, "UTC")],
)
def test_a_zone_keeps_its_name(zone: datetime.timezone, name: str) -> None:
    assert across(datetime.datetime(2020, 1, 1, tzinfo=zone)).tzname() == name


class Asked:
    """What a judge would have in place of the worker's object."""

    _polyassay_kind = "Colour"
    name = "RED"

    def __str__(self) -> str:
        return "Colour.RED"


class Colour(str, enum.Enum):  # noqa: UP042 - as answers have them
    RED = "red"


class Loose(dict[str, int]):
    def size(self) -> int:
        return len(self)


class Point(NamedTuple):
    x: int

    def shown(self) -> str:
        return f"<{self.x}>"


def stood_in(value: Any, **options: Any) -> Any:
    asks = Encoder(lambda value: ["h", 0], asks=True, **options)
    return Decoder(lambda tag, *form: Asked()).decode(json.loads(json.dumps(asks.encode(value))))


@pytest.mark.parametrize("value", [Colour.RED, Loose(a=1), Point(3)])
def test_a_subclass_is_equal_by_what_it_holds_and_is_asked_for_the_rest(value: Any) -> None:
    arrived = stood_in(value)
    assert arrived == value
    assert arrived != 77 and arrived.name == "RED"
    with pytest.raises(AttributeError):
        arrived.__array__  # noqa: B018


def test_a_stand_in_is_asked_for_what_its_class_does_in_another_way() -> None:
    assert str(stood_in(Colour.RED)) == "Colour.RED"
    assert isinstance(stood_in(Point(3)), tuple) and stood_in(Point(3)).x == 3


@pytest.mark.parametrize("value", [Colour.RED, Point(3)])
def test_where_objects_are_meant_only_what_computes_as_data_is_data(value: Any) -> None:
    assert stood_in(value, subclasses=False) == value
    assert isinstance(stood_in(Loose(a=1), subclasses=False), Asked)
    odd = type("Odd", (int,), {"__add__": lambda one, other: 0})
    assert isinstance(stood_in(odd(1), subclasses=False), Asked)


@pytest.mark.parametrize(
    "form",
    [
        ["u", [1], ["h", 0], []],
        ["u", None, ["h", 0], []],
        ["u", True, ["h", 0], []],
        ["u", "red", ["h", 0], ["__eq__"]],
        ["u", "red", ["h", 0], ["_x"]],
        ["u", "red", ["h", 0], "name"],
        ["u", "red", "plain", []],
        ["T", "UserDict", [5]],
        ["T", "mappingproxy", [["h", 0]]],
        ["T", "ChainMap", [["m", 0, ["l", []]]]],
        ["T", "ZoneInfo", ["../etc/passwd"]],
        ["T", "system", ["x"]],
        ["Y", "|O"],
        ["v", "AAAA", "P", [1]],
    ],
)
def test_no_stand_in_or_library_data_is_made_of_nonsense(form: Any) -> None:
    with pytest.raises(Malformed):
        Decoder(lambda tag, *form: Asked()).decode(form)


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
