"""The stub that tests find in the candidate's place: it sends each call to the worker.

`Entry` is that stub, `Link` is one test's connection to the worker. Objects that come back and are
no plain data are handles (handles.py).
"""

import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, Union

from polyassay_harness.crossing.conversation import Message, Talk
from polyassay_harness.crossing.subclasses import behind
from polyassay_harness.crossing.values import CannotCross, Encoder, Malformed
from polyassay_harness.judge.handles import (
    Handle,
    Items,
    ask,
    generate,
    keep_hash,
    make_handle,
    marked,
    plain,
    special,
)
from polyassay_harness.judge.lending import BOUND, bound_of, home_of, is_of_library, parameters
from polyassay_harness.testing.describe import TOLD
from polyassay_harness.testing.rewriting import SPECIAL
from polyassay_harness.testing.suite_code import TestCode
from polyassay_harness.wire.messages import GONE

Operation = Callable[[Any, Any], Any]
_NONSENSE = (
    *(Malformed, ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    *(RecursionError, ImportError),
)


class WorkerGone(BaseException):
    """The worker ended in this test; no `except Exception` of a test may hide that."""


class Link:
    """One test's way to the worker."""

    def __init__(
        self,
        exchange: Callable[[bytes], Tuple[str, bytes]],
        *,
        objects: bool,
        source: str = "",
        filename: str = "",
    ) -> None:
        self._exchange = exchange
        self.objects = objects  # which the task is about: they may be asked how they compare
        self.gone: Optional[Message] = None
        self.failed: Optional[AssertionError] = None  # in a function that the answer borrowed
        self.over = False  # the test's code has ended; what is asked now is for its message
        self._test, self._filename = TestCode(source), filename
        self._items: Dict[int, Items] = {}
        self._talk = Talk(self._form_of, self._handle_of)
        self._dropped: List[int] = []
        self._handles: Dict[int, Any] = {}
        self._generators: Dict[int, int] = {}
        self._borrowed: List[Any] = []
        self._borrowed_numbers: Dict[Any, int] = {}
        self._busy = False
        self.reading = False  # so nothing can be asked

    def next_test(self, source: str, filename: str) -> None:
        """Goes on with a test that builds on those before it."""
        self._test, self._filename = TestCode(source), filename
        self.over, self.failed = False, None

    def operate(self, name: str, how: Operation, left: Any, right: Any) -> Any:
        """Does a comparison that stands in the test's own code."""
        if name in ("is", "is not"):
            one, other = behind(left), behind(right)
            if isinstance(one, Handle) and isinstance(other, Handle):
                return (one._polyassay_on == other._polyassay_on) == (name == "is")
        if name in SPECIAL and isinstance(left, Handle) and left._polyassay_made:
            return special(left, name, right)
        return how(left, right)

    def items_of(self, on: int) -> Items:
        """The items of the iterator with this number, for all of its handles."""
        if on not in self._items:
            self._items[on] = Items(self, on)
        return self._items[on]

    def entry(self, name: str) -> Any:
        return make_handle(Entry, self, name, "function")

    def definitions(self, known: Mapping[str, Any]) -> Dict[str, Any]:
        """Stand-ins for what else the answer defines and the test names."""
        if not self.objects and "except" not in self._test.source:
            return {}  # such a task is not judged apart
        try:
            found = {name: self._defined(name) for name in self._test.names_of_answer(known)}
        except BaseException:  # the worker is gone, or gives an error for everything
            return {}  # the test will find that out
        return {name: value for name, value in found.items() if value is not None}

    def _defined(self, name: str) -> Any:
        kind = self.ask("kind", name)
        if type(kind) is list:
            found = self._read(lambda: self._talk.errors.class_of(kind))
            return None if issubclass(AssertionError, found) else found  # it would hide failures
        return None if kind is None else make_handle(Definition, self, name, "function")

    def ask(self, do: str, on: Union[int, str], /, *args: Any, **kwargs: Any) -> Any:
        """The result of an operation on an object of the worker's, or the exception it raised."""
        reply = self._talked(do, on, args, kwargs)
        if "raised" in reply:
            error = self._read(lambda: self._raised(reply))
            if isinstance(error, StopIteration) and "StopIteration" not in self._test.source:
                # It would pass for the end of whatever the test iterates over.
                raise RuntimeError(getattr(error, TOLD, "StopIteration")) from error
            raise error
        return self._read(lambda: self._talk.unpack(reply, "value")[0])

    def items(self, on: int, do: str, *args: Any) -> Tuple[List[Any], Optional[BaseException]]:
        """The next items of an iterator, and what it raised after them."""
        reply = self._talked(do, on, args, {})

        def read() -> Tuple[List[Any], Optional[BaseException]]:
            if "value" not in reply:
                return [], self._raised(reply)
            (value,) = self._talk.unpack(reply, "value")
            end = self._talk.errors.error_of(reply["ended"]) if "ended" in reply else None
            return list(value), end

        found: Tuple[List[Any], Optional[BaseException]] = self._read(read)
        return found

    def quietly(self, do: str, on: int) -> None:
        """Asks what may be left undone: the test is over, or the talk is not at that point."""
        if not self._busy and not self.reading and self.gone is None:
            self.ask(do, on)

    def skips_checks(self, frame: Any, line: int) -> bool:
        """Whether a test that swallows an exception raised there would skip a check."""
        if frame.f_code.co_filename != self._filename:
            return True

        def is_of_answer(name: str) -> bool:
            return isinstance(frame.f_locals.get(name, frame.f_globals.get(name)), Handle)

        return not self._test.may_be_left_out(line, is_of_answer)

    def _talked(self, do: str, on: Union[int, str], args: Any, kwargs: Dict[str, Any]) -> Message:
        """The worker's last word on it; in between it may call what it borrowed."""
        if self.gone is not None:
            raise WorkerGone
        self._dropped += self._talk.shared.forget_unused()
        values = self._talk.pack(args=args, kwargs=tuple(kwargs.items()))
        reply = self._sent({"do": do, "on": on, "dropped": self._dropped, **values})
        self._dropped = []
        while "borrowed" in reply:
            reply = self._sent(self._called_back(reply))
        return reply

    def _sent(self, message: Message) -> Message:
        self._busy = True
        name, body = self._exchange(json.dumps(message).encode())
        self._busy = False
        if name == GONE:
            self.gone = json.loads(body)
            raise WorkerGone
        reply = self._read(lambda: json.loads(body))
        if type(reply) is not dict:
            raise self._lost()
        return reply

    def _called_back(self, reply: Message) -> Message:
        """Does what the worker asks of something that it borrowed."""

        def read() -> Tuple[Any, Any, Dict[str, Any]]:
            args, kwargs = self._talk.unpack(reply, "args", "kwargs")
            borrowed = self._borrowed[reply["borrowed"]]
            if is_of_library(borrowed):
                raise Malformed("a call of what the worker has itself")
            return borrowed, args, dict(kwargs)

        borrowed, args, kwargs = self._read(read)
        try:
            value = borrowed(*args, **kwargs) if callable(borrowed) else next(borrowed)
            result = self._talk.pack(value=value)
        except WorkerGone:
            raise
        except BaseException as error:
            if isinstance(error, AssertionError) and not hasattr(error, TOLD):
                self.failed = error  # which the answer may swallow
            raised = self._talk.errors.numbered_form_of(error)
            result = {**self._talk.pack(), "raised": raised}
        return {"do": "return", "dropped": [], **result}

    def _read(self, read: Callable[[], Any]) -> Any:
        self.reading = True
        try:
            return read()
        except _NONSENSE:
            raise self._lost() from None
        finally:
            self.reading = False

    def _lost(self) -> WorkerGone:
        self.gone = {"status": "crashed", "message": "it gave an answer that is no value"}
        return WorkerGone()

    def _raised(self, reply: Message) -> BaseException:
        self._talk.unpack(reply)
        return self._talk.errors.error_of(reply["raised"])

    def _form_of(self, value: Any) -> Any:
        """How what is no plain data crosses: as a handle, an exception or something borrowed."""
        value = behind(value)
        if isinstance(value, Handle):
            return ["h", value._polyassay_on]
        if id(value) in self._generators:
            return ["h", self._generators[id(value)]]
        if isinstance(value, BaseException):
            return ["E", self._talk.errors.numbered_form_of(value)]
        if callable(value):
            return self._borrowed_form(value)
        if hasattr(value, "__next__"):
            return ["p", self._lend(value), None, None, None]
        raise CannotCross(f"a value of type {type(value).__name__}")

    def _borrowed_form(self, value: Any) -> Any:
        bound, home = bound_of(value), home_of(value)
        if bound is not None:
            encode = Encoder(self._form_of).encode
            return ["w", *map(encode, bound)]
        name, module = (home.name, home.module) if home else (getattr(value, "__name__", ""), None)
        return ["p", self._lend(value), parameters(value), name, module]

    def _lend(self, value: Any) -> int:
        key = value if isinstance(value, BOUND) else id(value)
        if key not in self._borrowed_numbers:
            self._borrowed_numbers[key] = len(self._borrowed)
            self._borrowed.append(value)
        return self._borrowed_numbers[key]

    def _handle_of(self, tag: str, *form: Any) -> Any:
        if tag == "E":
            return self._talk.errors.error_of(*form)
        number, *about = form
        if type(number) is not int or number < 0:
            raise Malformed("a handle")
        if tag == "p":
            return self._borrowed[number]
        kind, sort, hash_found = about
        if number not in self._handles:
            self._handles[number] = self._handle(number, kind, sort)
        if sort in _SORTS and (hash_found is None or type(hash_found) is int):
            keep_hash(self._handles[number], hash_found)
        return self._handles[number]

    def _handle(self, number: int, kind: str, sort: str) -> Any:
        if sort == "generator":
            generator = generate(Items(self, number))
            self._generators[id(generator)] = number
            return generator
        return make_handle(_SORTS[sort], self, number, str(kind)[:100])


class Function(Handle):
    """A handle that can be called."""

    __slots__ = ()

    def __call__(*args: Any, **kwargs: Any) -> Any:
        self, *rest = args
        return self._polyassay_link.ask("call", self._polyassay_on, *rest, **kwargs)


class Definition(Function):
    """A function or class of the answer's that the test names."""

    __slots__ = ()

    def __instancecheck__(self, value: Any) -> Any:
        is_of_answer = isinstance(behind(value), Handle)
        return is_of_answer and plain(ask(self, "isinstance", value), bool)


class Entry(Definition):
    """The function or class that the task is about."""

    __slots__ = ()

    def __call__(*args: Any, **kwargs: Any) -> Any:
        made = Function.__call__(*args, **kwargs)
        if isinstance(made, Handle) and made._polyassay_link.objects:
            return marked(made)
        return made


_SORTS: Dict[str, Type[Handle]] = {"object": Handle, "function": Function}
