"""Values of subclasses of built-in types that compare as those: data that can be asked for more.

What such a value holds crosses as data, of which a stand-in is made below the built-in type. What
its class adds (an enum's `name`, a method) stays with the worker, and the stand-in asks there.
"""

from typing import Any, Dict, List, Tuple

_type = type
_mro, _namespace = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_IMMUTABLE = (int, float, str, bytes, tuple, frozenset)
_ROOTS = (*_IMMUTABLE, list, dict, set)
_ASKED = ("__str__", "__repr__", "__format__", "__missing__")
_FINDING = ("__getattr__", "__getattribute__")  # with which a class has names that nobody can list
# What is asked of two alike, of which a test may know the other: only of objects, or of data.
OF_TWO = frozenset(
    {"equals", "isdisjoint", "issubset", "issuperset"}
    | {"intersection", "difference", "symmetric_difference"}
)
# Methods of data that say yes or no, often to what a test expects: only data is asked for these.
PREDICATES = OF_TWO | frozenset(
    {"startswith", "endswith", "all", "any"}
    | {name for kind in (*_ROOTS, bytearray) for name in dir(kind) if name.startswith("is")}
)
# What a class may define without changing what its values do in comparisons and arithmetic.
_HARMLESS = frozenset(
    {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__", "__hash__"}
    | {"__new__", "__init__", "__str__", "__repr__", "__format__", "__reduce__", "__reduce_ex__"}
    | {"__annotations__", "__match_args__", "__orig_bases__", "__getnewargs__", "__dir__"}
    | {"__copy__", "__deepcopy__", "__static_attributes__", "__firstlineno__", "__objclass__"}
    | {
        "__replace__",
        "__signature__",
        "__annotate__",
        "__annotate_func__",
        "__conditional_annotations__",
    }
    | {"__classdictcell__", "__annotations_cache__", "__set_name__", "__init_subclass__"}
)


def says_yes(name: Any, value: Any) -> bool:
    """Whether a field of this name would answer where only data is asked."""
    return name in PREDICATES and callable(value)


class StandIn:
    """The base of all stand-ins."""

    __slots__ = ()


def is_only_named(kind: type, base: type) -> bool:
    """Whether its values are immutable data in all that they do, and only have more to tell."""
    return base in _IMMUTABLE and not any(
        name.startswith("__") and name not in _HARMLESS
        for place in _added_by(kind, base)
        for name in _namespace(place)
    )


def asked_of(value: Any, kind: type, base: type) -> "List[str] | None":
    """What the built-in type would do otherwise; None where there is nothing to ask for."""
    places = _added_by(kind, base)
    fields = _fields_of(places)
    own: Dict[str, Any] = {}
    for place in places:
        own = {**_namespace(place), **own}
    names = [
        name
        for name, member in own.items()
        if _type(name) is str and name not in fields and not _is_of_namedtuples(member)
    ]
    asked = [
        name for name in names if name in _ASKED and _namespace(base).get(name) is not own[name]
    ]
    public = [name for name in names if name in _FINDING or not name.startswith("_")]
    if base in _IMMUTABLE:
        known = [name for name in public if hasattr(base, name) and name not in _FINDING]
        asked += [name for name in known if name not in PREDICATES]
    held = getattr(value, "__dict__", None)
    return asked if asked or public or (_type(held) is dict and held) else None


def stand_in(plain: Any, behind: Any, asked: List[str]) -> Any:
    """Such a value, for which `behind` is asked."""
    base = _type(plain)
    root = next((root for root in _ROOTS if issubclass(base, root)), None)
    if root is None:
        raise TypeError("no subclass of data")
    names: Dict[str, Any] = {
        "__getattr__": _get,
        "__setattr__": _set,
        "polyassay_behind": behind,
        "polyassay_plain": plain,
    }
    for name in asked:
        if name.startswith("_") and name not in _ASKED:
            raise ValueError("a name that nobody asks for")
        names[name] = _ANSWERS.get(name) or _attribute(name)
    made = _type(str(behind._polyassay_kind), (StandIn, base), names)
    value: Any = root.__new__(made, plain)  # type: ignore[call-arg]
    if root not in _IMMUTABLE:
        root.__init__(value, plain)
    return value


def behind(value: Any) -> Any:
    """The object that a stand-in stands for; any other value itself."""
    return _namespace(_type(value))["polyassay_behind"] if isinstance(value, StandIn) else value


def plain_of(value: Any) -> Any:
    """Without what it could be asked for."""
    return _namespace(_type(value))["polyassay_plain"] if isinstance(value, StandIn) else value


def _get(value: Any, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(behind(value), name)


def _set(value: Any, name: str, item: Any) -> None:
    setattr(behind(value), name, item)


def _attribute(name: str) -> Any:
    return property(lambda value: getattr(behind(value), name))


_ANSWERS: Dict[str, Any] = {
    "__str__": lambda value: str(behind(value)),
    "__repr__": lambda value: repr(behind(value)),
    "__format__": lambda value, how: format(behind(value), how),
    "__missing__": lambda value, key: behind(value)[key],
}


def _added_by(kind: type, base: type) -> List[type]:
    known: Tuple[type, ...] = _mro(base)
    return [place for place in _mro(kind) if not any(place is one for one in known)]


def _fields_of(places: List[type]) -> Tuple[Any, ...]:
    """Of a named tuple, which crosses as one."""
    found = next((_namespace(p)["_fields"] for p in places if "_fields" in _namespace(p)), ())
    return found if _type(found) is tuple else ()


def _is_of_namedtuples(member: Any) -> bool:
    return getattr(member, "__globals__", {}).get("__name__") == "collections"
