"""Values on their way between worker and judge: plain data, by exact type.

A decoder makes fresh built-in objects (and of libraries only what is data: numbers, dates, arrays)
and never runs code that the other side chose. What is mutable has a number (shared.py), so that
aliasing survives, and so that either side can say what became of it. Everything else crosses as a
handle: one side keeps the object, the other gets a number to ask for.

JSON carries it. None, booleans, numbers and text stand for themselves; a list is a tagged value.
"""

import base64
import builtins
import collections
import decimal
import fractions
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Tuple

from polyassay_harness.crossing import arrays, library, subclasses
from polyassay_harness.crossing.arrays import encoded
from polyassay_harness.crossing.shared import Shared

HANDLES = "hpwE"  # objects of the worker's, what the judge lends to it, and exceptions
_DEEPEST = 150
_SMALL = 1 << 53
_type = type
_TYPE_NAMES = {kind: name for name, kind in vars(builtins).items() if type(kind) is type}
_TYPES = {name: kind for kind, name in _TYPE_NAMES.items()}
_SEQUENCES: Dict[type, str] = {list: "l", set: "s"}
_MAPPINGS: Dict[type, str] = {dict: "d", collections.Counter: "C", collections.OrderedDict: "O"}
_OTHER_MUTABLE = (collections.defaultdict, collections.deque, bytearray)
_MUTABLE = frozenset({*_SEQUENCES, *_MAPPINGS, *_OTHER_MUTABLE})
# Data all the same, whatever metaclass it has.
_WITH_METACLASS = (
    *(fractions.Fraction, collections.ChainMap),
    *(collections.UserDict, collections.UserList, collections.UserString),
)
_NEW: Dict[str, Callable[[], Any]] = {
    **{tag: kind for kind, tag in (*_SEQUENCES.items(), *_MAPPINGS.items())},
    "f": collections.defaultdict,
    "y": bytearray,
}
# What a value of a subclass really holds, whatever its class says.
_BASES: Tuple[Tuple[type, Callable[[Any], Any]], ...] = (
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (str, lambda value: "".join(str.__iter__(value))),
    (bytes, lambda value: bytes(bytes.__iter__(value))),
    (int, lambda value: int.__add__(value, 0)),
    (float, float.__pos__),
)


class CannotCross(Exception):
    """A value that has no form on the wire."""


class Malformed(Exception):
    """Not what an encoder writes."""


class Encoder:
    """Encodes the values of one message."""

    def __init__(
        self,
        handle: Optional[Callable[[Any], Any]] = None,
        shared: Optional[Shared] = None,
        *,
        subclasses: bool = True,
        asks: bool = False,
    ) -> None:
        self._handle = handle  # makes a handle of what is no data; None: such a value cannot cross
        self._subclasses = subclasses  # of built-in types, which compare as those do, are data
        self._asks = asks  # the other side may ask for what such a class adds
        self._shared = Shared() if shared is None else shared

    def encode(self, value: Any, depth: int = 0) -> Any:
        kind = _type(value)
        if value is None or kind is bool or kind is str or kind is float:
            return value
        if kind is int:
            return value if -_SMALL < value < _SMALL else ["i", hex(value)]
        if depth > _DEEPEST:
            raise CannotCross("a value that is nested too deeply")
        if kind is tuple:
            return ["t", self._all(value, depth)]
        if arrays.is_dtype(value):
            return ["Y", value.str]
        if _type(kind) is not _type and not any(kind is one for one in _WITH_METACLASS):
            # Its metaclass could call it equal to any type of ours.
            return self._subclass_or_other(value, kind, depth)
        if kind in _MUTABLE or arrays.is_array(value):
            return self._numbered(value, depth)
        return self._immutable(value, kind, depth)

    def contents(self, value: Any, depth: int = 0) -> Any:
        """The content of a mutable value, without its number."""
        kind = _type(value)
        if kind in _SEQUENCES:
            return [_SEQUENCES[kind], self._all(value, depth)]
        if kind in _MAPPINGS:
            return [_MAPPINGS[kind], self._pairs(value, depth)]
        if kind is collections.defaultdict:
            return ["f", self._factory(value.default_factory), self._pairs(value, depth)]
        if kind is collections.deque:
            return ["q", value.maxlen, self._all(value, depth)]
        if kind is bytearray:
            return ["y", encoded(value)]
        return ["a", *arrays.array_form(value)]

    def _factory(self, made_by: Any) -> Any:
        """What gives a missing key its value: a type, or a function that is called where it is."""
        if made_by is None:
            return None
        known = _TYPE_NAMES.get(made_by) if _type(made_by) is _type else None
        return known or self._other(made_by)

    def _all(self, values: Any, depth: int) -> List[Any]:
        return [self.encode(value, depth + 1) for value in values]

    def _pairs(self, value: Any, depth: int) -> List[Any]:
        return [self._all(pair, depth) for pair in value.items()]

    def _numbered(self, value: Any, depth: int) -> Any:
        number = self._shared.number_of(value)
        if number is not None:
            return ["r", number]
        return ["m", self._shared.add(value), self.contents(value, depth)]

    def _immutable(self, value: Any, kind: type, depth: int) -> Any:
        encode = _ENCODERS.get(kind)
        if encode is not None:
            return encode(self, value, depth)
        if kind is type and value in _TYPE_NAMES:
            return ["k", _TYPE_NAMES[value]]
        if arrays.is_array_scalar(value):
            return ["x", value.dtype.str, encoded(value.tobytes())]
        made_of = library.parts_of(value)
        if made_of is not None:
            name, parts = made_of
            return ["T", name, self._all(parts, depth)]
        return self._subclass_or_other(value, kind, depth)

    def _subclass_or_other(self, value: Any, kind: type, depth: int) -> Any:
        if issubclass(kind, subclasses.StandIn):
            return self._other(value)
        for base, plain in _BASES:
            alike = issubclass(kind, base) and _equality(kind) is _equality(base)
            if alike and (self._subclasses or subclasses.is_only_named(kind, base)):
                form = self._subclass(value, kind, plain, depth)
                return self._more_than(form, value, kind, base) if self._asks else form
        return self._other(value)

    def _subclass(self, value: Any, kind: type, plain: Callable[[Any], Any], depth: int) -> Any:
        fields = _type.__dict__["__dict__"].__get__(kind).get("_fields")
        if _type(fields) is not tuple:  # a class may add methods to a named tuple
            fields = getattr(kind, "_fields", None)
        if _type(fields) is tuple and issubclass(kind, tuple):
            return ["n", kind.__name__, list(fields), self._all(tuple.__iter__(value), depth)]
        return self.encode(plain(value), depth + 1)

    def _more_than(self, form: Any, value: Any, kind: type, base: type) -> Any:
        """The same with what its class adds, where there is anything."""
        asked = subclasses.asked_of(value, kind, base)
        if asked is None or self._handle is None:
            return form
        try:
            return ["u", form, self._handle(value), asked]
        except CannotCross:
            return form

    def _other(self, value: Any) -> Any:
        if self._handle is None:
            raise CannotCross(f"a value of type {_type(value).__name__}")
        return self._handle(value)


_ENCODERS: Dict[type, Callable[[Encoder, Any, int], Any]] = {
    bytes: lambda encoder, value, depth: ["b", encoded(value)],
    complex: lambda encoder, value, depth: ["c", value.real, value.imag],
    frozenset: lambda encoder, value, depth: ["z", encoder._all(value, depth)],
    range: lambda encoder, value, depth: [
        "g",
        *encoder._all((value.start, value.stop, value.step), depth),
    ],
    slice: lambda encoder, value, depth: [
        "S",
        *encoder._all((value.start, value.stop, value.step), depth),
    ],
    memoryview: lambda encoder, value, depth: (
        ["v", *arrays.memory_form(value)]
        if value.format in arrays.MEMORY_FORMATS
        else encoder._other(value)
    ),
    **dict.fromkeys(
        (type({}.keys()), type(collections.OrderedDict().keys())),
        lambda encoder, value, depth: ["K", encoder._all(value, depth)],
    ),
    **dict.fromkeys(
        (type({}.items()), type(collections.OrderedDict().items())),
        lambda encoder, value, depth: ["I", encoder._all(value, depth)],
    ),
    type(NotImplemented): lambda encoder, value, depth: ["N", "NotImplemented"],
    type(Ellipsis): lambda encoder, value, depth: ["N", "Ellipsis"],
    decimal.Decimal: lambda encoder, value, depth: ["D", str(value)],
    fractions.Fraction: lambda encoder, value, depth: [
        "F",
        hex(value.numerator),
        hex(value.denominator),
    ],
}


class Decoder:
    """Decodes the values of one message; a handle is whatever the other side said about it."""

    def __init__(self, handle: Callable[..., Any], shared: Optional[Shared] = None) -> None:
        self._handle = handle
        self._shared = Shared() if shared is None else shared

    def decode(self, form: Any) -> Any:
        """The value; raises Malformed for whatever is none."""
        try:
            return self._decode(form)
        except Malformed:
            raise
        except Exception as error:
            raise Malformed(f"{_type(error).__name__}: {error}") from None

    def fill(self, value: Any, contents: Any) -> None:
        """Makes a mutable value hold this, and nothing else."""
        tag, *rest = contents
        if tag in ("l", "q", "s", "y"):
            items = base64.b64decode(rest[-1]) if tag == "y" else self._all(rest[-1])
            value.clear()
            (value.update if tag == "s" else value.extend)(items)
        elif tag in ("d", "C", "O", "f"):
            pairs = [self._all(pair) for pair in rest[-1]]
            value.clear()
            for key, item in pairs:
                value[key] = item
        elif tag == "a":
            found = arrays.array(*rest)
            if found.shape == value.shape and found.dtype == value.dtype:
                value[...] = found

    def _decode(self, form: Any) -> Any:
        if _type(form) is not list:
            if form is None or _type(form) in (bool, int, float, str):
                return form
            raise Malformed("an object")
        return _DECODERS[form[0]](self, *form[1:])

    def _all(self, forms: Any) -> List[Any]:
        return [self._decode(form) for form in forms]

    def _mutable(self, number: int, contents: Any) -> Any:
        if number != self._shared.next:
            raise Malformed("a number out of turn")
        tag = contents[0]
        value: Any
        if tag == "q":
            value = collections.deque(maxlen=contents[1])
        elif tag == "a":
            value = arrays.array(*contents[1:])
        else:
            value = _NEW[tag]()
        self._shared.add(value)
        if tag == "f" and contents[1] is not None:
            made_by = contents[1]
            known = _type(made_by) is str
            value.default_factory = _TYPES[made_by] if known else self._decode(made_by)
        if tag != "a":
            self.fill(value, contents)
        return value

    def _namedtuple(self, name: str, fields: List[str], values: List[Any]) -> Any:
        found = self._all(values)
        names = ["" if subclasses.says_yes(*field) else field[0] for field in zip(fields, found)]
        return collections.namedtuple(name, names, rename=True)(*found)

    def _expect_names(self, names: Any) -> List[str]:
        if _type(names) is not list or any(_type(name) is not str for name in names):
            raise Malformed("no names")
        return list(names)


def _handled(tag: str, decoder: Decoder, *rest: Any) -> Any:
    return decoder._handle(tag, *rest)


_DECODERS: Dict[str, Callable[..., Any]] = {
    "i": lambda decoder, text: int(text, 16),
    "t": lambda decoder, items: tuple(decoder._all(items)),
    "z": lambda decoder, items: frozenset(decoder._all(items)),
    "b": lambda decoder, text: base64.b64decode(text),
    "c": lambda decoder, real, imaginary: complex(real, imaginary),
    "g": lambda decoder, *bounds: range(*decoder._all(bounds)),
    "S": lambda decoder, *bounds: slice(*decoder._all(bounds)),
    "v": lambda decoder, text, item, shape: arrays.memory(text, item, shape),
    "K": lambda decoder, items: dict.fromkeys(decoder._all(items)).keys(),
    "I": lambda decoder, items: dict(decoder._all(items)).items(),
    "N": lambda decoder, name: {"NotImplemented": NotImplemented, "Ellipsis": Ellipsis}[name],
    "D": lambda decoder, text: decimal.Decimal(text),
    "F": lambda decoder, above, below: fractions.Fraction(int(above, 16), int(below, 16)),
    "T": lambda decoder, name, parts: library.made_of(name, decoder._all(parts)),
    "k": lambda decoder, name: _TYPES[name],
    "x": lambda decoder, dtype, text: arrays.array(dtype, [], text)[()],
    "Y": lambda decoder, name: arrays.dtype_of(name),
    "u": lambda decoder, plain, behind, asked: subclasses.stand_in(
        decoder._decode(plain), decoder._decode(behind), decoder._expect_names(asked)
    ),
    "n": Decoder._namedtuple,
    "m": Decoder._mutable,
    "r": lambda decoder, number: decoder._shared.value_of(number),
    **{tag: partial(_handled, tag) for tag in HANDLES},
}


def _equality(kind: type) -> Any:
    return kind.__eq__
