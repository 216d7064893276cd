"""Data of the standard library that is made of plainer data: dates, zones, wrappers of containers.

By exact type, as all data. Each row says what a value is made of, and how it is made of that.
"""

import collections
import datetime
import sys
import types
from typing import Any, Callable, Dict, List, Optional, Tuple

Parts = Tuple[Any, ...]
_DATE = ("year", "month", "day")
_TIME = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
_type = type


def _fields(*names: str) -> Callable[[Any], Parts]:
    return lambda value: tuple(getattr(value, name) for name in names)


def _folded(kind: Any) -> Callable[..., Any]:
    return lambda *parts: kind(*parts[:-1], fold=parts[-1])


def _holding(kind: Any, data_kind: type) -> Callable[[Any], Any]:
    def make(data: Any) -> Any:
        made = kind()
        made.data = _expect(data, data_kind)
        return made

    return make


def _expect(value: Any, kind: type) -> Any:
    if _type(value) is not kind:
        raise TypeError(f"no {kind.__name__}")
    return value


_ROWS: Tuple[Tuple[type, Callable[[Any], Parts], Callable[..., Any]], ...] = (
    (datetime.datetime, _fields(*_DATE, *_TIME), _folded(datetime.datetime)),
    (datetime.date, _fields(*_DATE), datetime.date),
    (datetime.time, _fields(*_TIME), _folded(datetime.time)),
    (datetime.timedelta, _fields("days", "seconds", "microseconds"), datetime.timedelta),
    (datetime.timezone, lambda zone: zone.__getinitargs__(), datetime.timezone),
    (
        types.MappingProxyType,
        lambda proxy: (dict(proxy),),
        lambda data: types.MappingProxyType(_expect(data, dict)),
    ),
    (collections.UserDict, _fields("data"), _holding(collections.UserDict, dict)),
    (collections.UserList, _fields("data"), _holding(collections.UserList, list)),
    (
        collections.UserString,
        _fields("data"),
        lambda data: collections.UserString(_expect(data, str)),
    ),
    (
        collections.ChainMap,
        lambda chain: tuple(chain.maps),
        lambda *maps: collections.ChainMap(*(_expect(one, dict) for one in maps)),
    ),
)
# Only where the other side has imported them itself.
_LAZY: Dict[Tuple[str, str], Tuple[Callable[[Any], Parts], Callable[[Any, Any], Any]]] = {
    ("zoneinfo", "ZoneInfo"): (_fields("key"), lambda kind, key: kind(key)),
    ("uuid", "UUID"): (_fields("int"), lambda kind, number: kind(int=number)),
}
_PARTS = {kind: parts for kind, parts, _ in _ROWS}
_MAKERS = {kind.__name__: make for kind, _, make in _ROWS}


def parts_of(value: Any) -> Optional[Tuple[str, Parts]]:
    """The name of its kind and what it is made of; None where it is none of these."""
    kind = _type(value)
    if kind in _PARTS:
        name, parts = kind.__name__, _PARTS[kind](value)
        zone = getattr(value, "tzinfo", None) if name in ("datetime", "time") else None
        return (name, parts) if zone is None or parts_of(zone) else None
    for (module, name), (parts_of_kind, _) in _LAZY.items():
        if kind.__name__ == name and kind is getattr(sys.modules.get(module), name, None):
            parts = parts_of_kind(value)
            return None if None in parts else (name, parts)
    return None


def made_of(name: str, parts: List[Any]) -> Any:
    """The value again."""
    if name in _MAKERS:
        return _MAKERS[name](*parts)
    for (module, known), (_, make) in _LAZY.items():
        if known == name:
            return make(getattr(__import__(module), name), *parts)
    raise LookupError(name)
