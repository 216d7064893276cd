"""What tests find in the candidate's place: handles that ask the worker, and decode plain data."""

import builtins
import json
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

from polyassay_harness.testing import TOLD
from polyassay_harness.wire import CannotCross, Decoder, Encoder, Malformed

_MOST_ITEMS = 1_000_000
_LONGEST_STEP = 256


class WorkerGone(BaseException):
    """The worker ended in this test; no `except Exception` of a test may hide that."""


class Link:
    """One test's way to the worker."""

    def __init__(self, exchange: Callable[[bytes], bytes], *, membership: bool) -> None:
        self._exchange = exchange
        self.membership = membership  # whether an object is asked what it contains
        self.gone: Optional[Dict[str, Any]] = None
        self._handles: Dict[int, Handle] = {}

    def entry(self, name: str) -> "Handle":
        return Handle(self, name, "function")

    def ask(self, do: str, on: Union[int, str], *args: Any, **kwargs: Any) -> Any:
        """The result of an operation on an object of the worker's, or the exception it raised."""
        return self._ask(do, on, args, kwargs)[0]

    def items(self, on: Union[int, str], count: int) -> "tuple[List[Any], bool]":
        """The next items of an iterator, and whether there may be more."""
        value, reply = self._ask("next", on, (count,), {}, raises=False)
        if type(value) is not tuple:
            raise self._lost("an iterator's items were none")
        if "raised" in reply:
            self._pending = self._exception(reply["raised"])
            return list(value), False
        return list(value), not reply.get("done", True)

    _pending: Optional[BaseException] = None

    def raise_pending(self) -> None:
        """What an iterator raised after its last item."""
        error, self._pending = self._pending, None
        if error is not None:
            raise error

    def _ask(
        self, do: str, on: Union[int, str], args: Any, kwargs: Any, *, raises: bool = True
    ) -> Any:
        if self.gone is not None:
            raise WorkerGone
        encoder = Encoder(_handle_form)
        message = {
            "do": do,
            "on": on,
            "args": [encoder.encode(value) for value in args],
            "kwargs": {name: encoder.encode(value) for name, value in kwargs.items()},
        }
        frame = self._exchange(b"C" + json.dumps(message).encode())
        if frame[:1] == b"X":
            self.gone = json.loads(frame[1:])
            raise WorkerGone
        try:
            reply = json.loads(frame[1:])
            decoder = Decoder(self._handle, list(encoder.mutable))
            value = decoder.decode(reply.get("value"))
            for number, contents in reply["changed"]:
                decoder.fill(encoder.mutable[number], contents)
            error = self._exception(reply["raised"]) if "raised" in reply and raises else None
        except (Malformed, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._lost("it gave an answer that is no value") from None
        if error is not None:
            raise error
        return value, reply

    def _lost(self, why: str) -> WorkerGone:
        self.gone = {"status": "crashed", "message": why}
        return WorkerGone()

    def _handle(self, number: int, kind: str) -> "Handle":
        if number not in self._handles:
            self._handles[number] = Handle(self, number, kind[:100])
        return self._handles[number]

    def _exception(self, raised: Dict[str, Any]) -> BaseException:
        """Of the nearest class that is known here; one of the candidate's own is made up."""
        decoder = Decoder(self._handle)
        arguments = [decoder.decode(form) for form in raised["args"]]
        names = raised["classes"]
        for depth, (module, name) in enumerate(names):
            kind = _known_exception(module, name)
            if kind is None:
                continue
            if depth:
                kind = type(str(names[0][1]).rpartition(".")[2] or "Error", (kind,), {})
            try:
                error = kind(*arguments)
            except Exception:
                error = kind.__new__(kind)
                error.args = tuple(arguments)
            setattr(error, TOLD, str(raised["told"])[:1000])
            assert isinstance(error, BaseException)
            return error
        raise Malformed("an exception that is none")


def _known_exception(module: str, name: str) -> Any:
    """A class that this interpreter has imported itself, outside of any candidate's reach."""
    if type(module) is not str or type(name) is not str:
        return None
    home = builtins if module == "builtins" else sys.modules.get(module)
    kind = vars(home).get(name) if home is not None else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def _handle_form(value: Any) -> Any:
    if type(value) is Handle:
        on = object.__getattribute__(value, "_on")
        if type(on) is int:
            return ["h", on, ""]
    raise CannotCross(f"a value of type {type(value).__name__}")


class Handle:
    """An object of the worker's. It is never asked how it compares: it equals only itself."""

    __slots__ = ("_kind", "_link", "_on")

    def __init__(self, link: Link, on: Union[int, str], kind: str) -> None:
        for name, value in (("_link", link), ("_on", on), ("_kind", kind)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._link.ask("get", self._on, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._link.ask("set", self._on, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._link._ask("call", self._on, args, kwargs)[0]

    def __iter__(self) -> Iterator[Any]:
        iterator = self._link.ask("iter", self._on)
        if type(iterator) is not Handle:
            yield from iterator
            return
        step, count, more = 1, 0, True
        while more:
            items, more = self._link.items(iterator._on, step)
            count += len(items)
            if count > _MOST_ITEMS:
                raise OverflowError(f"more than {_MOST_ITEMS} items")
            yield from items
            step = min(2 * step, _LONGEST_STEP)
        self._link.raise_pending()

    def __next__(self) -> Any:
        items, _ = self._link.items(self._on, 1)
        self._link.raise_pending()
        if not items:
            raise StopIteration
        return items[0]

    def __len__(self) -> Any:
        return _plain(self._link.ask("len", self._on), int)

    def __bool__(self) -> Any:
        return _plain(self._link.ask("bool", self._on), bool)

    def __str__(self) -> Any:
        return _plain(self._link.ask("str", self._on), str)

    def __repr__(self) -> str:
        return f"<{self._kind} of the answer>"

    def __getitem__(self, key: Any) -> Any:
        return self._link.ask("getitem", self._on, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._link.ask("setitem", self._on, key, value)

    def __delitem__(self, key: Any) -> None:
        self._link.ask("delitem", self._on, key)

    def __contains__(self, value: Any) -> Any:
        if self._link.membership:
            return _plain(self._link.ask("contains", self._on, value), bool)
        # Asked, it could say yes to anything; its items are compared here.
        return any(item == value for item in self)

    def __enter__(self) -> Any:
        return self._link.ask("enter", self._on)

    def __exit__(self, *error: Any) -> None:
        self._link.ask("exit", self._on, None, None, None)


def _plain(value: Any, kind: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"the answer's object gave no {kind.__name__}")
    return value
