"""Handles: stand-ins, in the judge, for objects that stay with the worker.

Whatever a test does with a handle is asked of the worker. The result is plain data or a handle. An
object is not asked whether it equals plain data, because its answer could always be yes. Two
handles may be compared by the candidate's own methods, because neither shows an expected value. An
object that the test made by calling the task's class is asked like any object in Python: the test
is about that class. An object that one of its methods returned is not.
"""

import sys
from collections import deque
from typing import Any, Callable, Deque, Dict, Generator, Iterator, Optional, Tuple, Type, Union

from polyassay_harness.crossing.subclasses import OF_TWO, PREDICATES, plain_of

_MOST_ITEMS = 1_000_000
_LONGEST_STEP = 256
_ALONE = 64  # so many items are fetched one by one, when they are wanted


class Items:
    """The items of one of the worker's iterators; if there are many, some are fetched ahead."""

    def __init__(self, link: Any, on: int) -> None:
        self.link, self.on = link, on
        self._ready: Deque[Any] = deque()
        self._end: Optional[BaseException] = None
        self._count = 0

    def next(self) -> Any:
        if not self._ready and self._end is None:
            step = 1 if self._count < _ALONE else min(self._count // 8, _LONGEST_STEP)
            self._fetch("next", step)
        return self._take()

    def other(self, do: str, argument: Any) -> Any:
        """The next item after a value was sent or an error thrown; none was fetched ahead."""
        self._count = -sys.maxsize
        self._fetch(do, argument)
        return self._take()

    def _fetch(self, do: str, argument: Any) -> None:
        items, self._end = self.link.items(self.on, do, argument)
        self._ready.extend(items)
        self._count += len(items)
        if self._count > _MOST_ITEMS:
            raise OverflowError(f"more than {_MOST_ITEMS} items")

    def _take(self) -> Any:
        if self._ready:
            return self._ready.popleft()
        end, self._end = self._end, None
        raise StopIteration if end is None else end


def generate(items: Items) -> "Generator[Any, Any, Any]":
    """A generator of the worker's, as one that is a generator here too."""
    do, argument = "", None
    while True:
        try:
            item = items.other(do, argument) if do else items.next()
        except StopIteration as stop:
            return stop.value
        do = ""
        try:
            argument = yield item
            do = "send" if argument is not None else ""
        except GeneratorExit:
            items.link.quietly("close", items.on)
            raise
        except BaseException as error:
            do, argument = "throw", error


class Handle:
    """An object of the worker's."""

    __slots__ = (
        "_polyassay_hash",  # as the worker told; None: it is what every object has
        "_polyassay_kind",
        "_polyassay_link",
        "_polyassay_made",  # by a test that called the class which the task is about
        "_polyassay_on",
        "_polyassay_result",  # of an operator
    )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in PREDICATES and not self._polyassay_link.objects:
            if name in OF_TWO:
                return lambda other: _ask_of_two(self, name, other)
            raise _no_data(name)
        return ask(self, "get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        ask(self, "set", name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "delete", name)

    def __iter__(self) -> Iterator[Any]:
        iterator = ask(self, "iter")
        if not hasattr(iterator, "__next__"):
            raise TypeError("the answer's object gave no iterator")
        return iterator  # type: ignore[no-any-return]

    def __next__(self) -> Any:
        return self._polyassay_link.items_of(self._polyassay_on).next()

    def __len__(self) -> Any:
        return plain(ask(self, "len"), int)

    def __bool__(self) -> Any:
        return plain(ask(self, "bool"), bool)

    def __str__(self) -> Any:
        return plain(ask(self, "str"), str)

    def __repr__(self) -> Any:
        if self._polyassay_link.over:
            return f"<{self._polyassay_kind} of the answer>"
        return plain(ask(self, "repr"), str)

    def __format__(self, how: str) -> Any:
        return plain(ask(self, "format", how), str)

    def __getitem__(self, key: Any) -> Any:
        return ask(self, "getitem", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        ask(self, "setitem", key, value)

    def __delitem__(self, key: Any) -> None:
        ask(self, "delitem", key)

    def __contains__(self, value: Any) -> Any:
        if self._polyassay_made:
            return plain(ask(self, "contains", value), bool)
        # Asked, it could say yes to anything; its items are compared here.
        return any(item == value for item in self)

    def __reversed__(self) -> Any:
        return iter(ask(self, "reversed"))

    def __copy__(self) -> Any:
        return ask(self, "copy")

    def __deepcopy__(self, memo: Any) -> Any:
        return ask(self, "deepcopy")

    def __eq__(self, other: Any) -> Any:
        return _compare(self, "eq", other)

    def __ne__(self, other: Any) -> Any:
        return _compare(self, "ne", other)

    def __hash__(self) -> Any:
        if self._polyassay_hash is None or self._polyassay_link.reading:
            return self._polyassay_hash or hash(self._polyassay_on)
        return plain(ask(self, "hash"), int)

    def __enter__(self) -> Any:
        return ask(self, "enter")

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if error is not None and not isinstance(error, Exception):
            return False
        swallows = bool(ask(self, "exit", error))
        if not swallows or error is None or isinstance(error, AssertionError):
            return False
        frame = sys._getframe(1)
        return not self._polyassay_link.skips_checks(frame, _line_in(frame, traceback))


def make_handle(sort: Type[Handle], link: Any, on: Union[int, str], kind: str) -> Any:
    """Not a name of the class itself, whose names are the answer's."""
    handle = object.__new__(sort)
    values = {"link": link, "on": on, "kind": kind, "hash": None}
    for name, value in {**values, "made": False, "result": False}.items():
        object.__setattr__(handle, f"_polyassay_{name}", value)
    return handle


def keep_hash(handle: Handle, found: Optional[int]) -> None:
    object.__setattr__(handle, "_polyassay_hash", found)


def marked(handle: Handle) -> Any:
    """Another handle of the same object, for the test that made it.

    Whatever a method returns later is a handle without that mark, be it the same object.
    """
    on, kind = handle._polyassay_on, handle._polyassay_kind
    other = make_handle(type(handle), handle._polyassay_link, on, kind)
    keep_hash(other, handle._polyassay_hash)
    object.__setattr__(other, "_polyassay_made", True)
    return other


def ask(handle: Handle, do: str, *args: Any) -> Any:
    return handle._polyassay_link.ask(do, handle._polyassay_on, *args)


def plain(value: Any, kind: Any) -> Any:
    value = plain_of(value)
    if type(value) is not kind:
        raise TypeError(f"the answer's object gave no {kind.__name__}")
    return value


def _ask_of_two(handle: Handle, name: str, other: Any) -> Any:
    """Compares with another object of the answer's only: `one.issubset(other)`."""
    if not isinstance(other, Handle):
        raise _no_data(name)
    return ask(handle, "get", name)(other)


def _no_data(name: str) -> AttributeError:
    return AttributeError(f"{name} of an object of the answer's, which is no data")


def _compare(handle: Handle, do: str, other: Any) -> Any:
    link = handle._polyassay_link
    # What is read right now are sets and the like, of which the worker knows that nothing is equal.
    if not link.reading and (isinstance(other, Handle) or handle._polyassay_made):
        return plain(ask(handle, do, other), bool)
    return NotImplemented


def special(handle: Handle, name: str, other: Any) -> Any:
    """A comparison that the test spells as a call: `money.__eq__(5)`."""
    value = ask(handle, "special", name, other)
    return value if value is NotImplemented else plain(value, bool)


def _compute(handle: Handle, do: str, other: Any) -> Any:
    """With plain data, only an object that the test made may give plain data.

    Any other could return the value that the test expects and has just passed to it.
    """
    made, with_handle = handle._polyassay_made, isinstance(other, Handle)
    if not (with_handle or made or handle._polyassay_result):
        return NotImplemented
    value = ask(handle, do, other)
    if isinstance(value, Handle):
        if value is not handle:
            object.__setattr__(value, "_polyassay_result", True)
    elif not (with_handle or made):
        raise TypeError("the answer's object gave no object")
    return value


def _line_in(frame: Any, traceback: Any) -> int:
    """The line of the frame's own code from which an error came."""
    line = 0
    while traceback is not None:
        if traceback.tb_frame is frame:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _operator(how: Callable[..., Any], do: str, name: str) -> Callable[..., Any]:
    def operate(self: Handle, *other: Any) -> Any:
        return how(self, do, *other)

    operate.__name__ = name
    return operate


# fmt: off
COMPUTING = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift",
    "rshift", "and", "or", "xor",
)
ORDERING = ("lt", "le", "gt", "ge")
UNARY = ("neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil")
NUMBERS = {"int": int, "float": float, "complex": complex, "index": int, "bytes": bytes}
# fmt: on


def _number(handle: Handle, do: str) -> Any:
    return plain(ask(handle, do), NUMBERS[do])


def _add_operators() -> None:
    ways: Dict[str, Tuple[Callable[..., Any], str]] = {
        **{name: (_compute, name) for name in COMPUTING},
        **{f"r{name}": (_compute, f"r{name}") for name in COMPUTING},
        **{f"i{name}": (_compute, f"i{name}") for name in COMPUTING if name != "divmod"},
        **{name: (_compare, name) for name in ORDERING},
        **{name: (ask, name) for name in UNARY},
        **{name: (_number, name) for name in NUMBERS},
    }
    for name, (how, do) in ways.items():
        setattr(Handle, f"__{name}__", _operator(how, do, f"__{name}__"))


_add_operators()
