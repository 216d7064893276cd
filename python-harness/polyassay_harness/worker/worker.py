"""The process that holds a candidate: loads the program, then does what it is told.

It is a fork of the supervisor and talks to it over one socket. Each command is obeyed in a fork of
this process, which finds the program as it was loaded, or in this process itself where it is the
last command, or where the program left threads behind, which a fork would lose.

`Worker` is a candidate judged apart: it holds the program and nothing else, and answers calls. It
knows neither tests nor expected values, and has no way to say "passed". What it sends is decoded as
plain data; a forged message is at most a wrong answer. Functions and iterators of the tests stay
with the judge: the program gets stand-ins for them, which ask the judge.
"""

import os
import threading
import types
from typing import Any, Dict, List, NoReturn

from polyassay_harness.crossing.conversation import Message, Talk
from polyassay_harness.crossing.errors import bare_form, class_names
from polyassay_harness.crossing.values import CannotCross, Decoder
from polyassay_harness.process.forks import single_fork, threads
from polyassay_harness.process.limits import allow_cpu, cpu_of
from polyassay_harness.testing.describe import FILENAME, describe
from polyassay_harness.testing.rewriting import compiled
from polyassay_harness.wire import frames
from polyassay_harness.wire.messages import FORK_ENDED, LoadReport, Work, pack
from polyassay_harness.worker import load
from polyassay_harness.worker.borrow import borrowed, bound
from polyassay_harness.worker.load import flush
from polyassay_harness.worker.operations import OPERATIONS

_wait4, _exit, _chdir = os.wait4, os._exit, os.chdir
_ChildProcessError = ChildProcessError
_BaseException, _Exception, _StopIteration = BaseException, Exception, StopIteration
_MemoryError, _callable, _id, _next = MemoryError, callable, id, next
_hash: Any = hash
_object_hash: Any = object.__hash__
_MOST_HANDLES = 100_000
_UNCHANGING = frozenset({int, float, complex, bool, str, bytes, type(None)})
_NO_MEMORY = {"raised": bare_form("MemoryError", "out of memory"), "changed": []}


class Child:
    """Loads; a subclass obeys."""

    forks = True  # which only a program without threads can be asked to do

    def __init__(self, work: Work, channel: int, folder: str) -> None:
        self.work = work
        self.channel = channel
        self.namespace: Dict[str, Any] = {}
        self._folder = folder

    @classmethod
    def start(cls, work: Work, channel: int, folder: str) -> NoReturn:
        cls(work, channel, folder).run()

    def run(self) -> NoReturn:
        """Loads, then obeys until the supervisor goes away."""
        frames.send(self.channel, self.load())
        while True:
            command = frames.receive(self.channel)
            if command["here"]:
                _chdir(self._folder)
                self.obey(command)
                _exit(0)
            self._obey_in_fork(command)

    def obey(self, command: Message) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        """Called once the program has loaded."""
        raise NotImplementedError

    def load(self) -> LoadReport:
        """How that went, for the supervisor."""
        loaded = self._load()
        if "ending" in loaded:
            flush()  # no other code will
        return loaded

    def _load(self) -> LoadReport:
        work = self.work
        seconds, tests = work["limits"]["seconds"], len(work.get("tests", ()))
        allow_cpu(seconds, spare=(seconds + 1) * (tests + 1))
        try:
            load.lay_out(work.get("modules", {}), self._folder)
            self.namespace = load.load(work["source"])
        except _MemoryError:
            return {"ending": "out_of_memory", "reason": "out of memory while it loaded"}
        except _BaseException as error:
            problem = describe(error, FILENAME, work["first_line"])
            return {"ending": "unbuilt", "reason": problem}
        load.restore_builtins()
        names: List[str] = []
        if work["style"] == "sets":
            names = load.functions(work["source"], self.namespace)
            if not names:
                return {"ending": "unbuilt", "reason": "defines no function"}
        elif work["entry"] and work["entry"] not in self.namespace:
            return {"ending": "unbuilt", "reason": f'defines no "{work["entry"]}"'}
        self.prepare()
        return {"functions": names, "threads": self.forks and threads() > 1}

    def _obey_in_fork(self, command: Dict[str, Any]) -> None:
        flush()
        pid = single_fork()
        if pid == 0:
            try:
                _chdir(self._folder)
                self.obey(command)
            finally:
                _exit(0)
        try:
            _, status, usage = _wait4(pid, 0)
            end = {"wait_status": status, "cpu_seconds": cpu_of(usage)}
        except _ChildProcessError:  # the program leaves its children to the kernel
            end = {"wait_status": 0, "cpu_seconds": 0.0}
        frames.write_frame(self.channel, pack(FORK_ENDED, end))


class Worker(Child):
    def prepare(self) -> None:
        """The suite's imports and helpers, which the answer may rely on."""
        self._begin()
        try:
            exec(compiled(self.work["setup"], "<setup>"), self.namespace)
        except _BaseException:
            return  # the judge, which runs it too, will say so

    def obey(self, command: Message) -> NoReturn:
        """Answers calls until the supervisor ends this process."""
        allow_cpu(self.work["limits"]["seconds"])
        self._begin()
        while True:
            self._answer(frames.receive(self.channel))

    def _begin(self) -> None:
        self._objects: List[Any] = []
        self._numbers: Dict[int, int] = {}  # by identity
        self._borrowed: Dict[int, Any] = {}
        self._borrowed_numbers: Dict[int, int] = {}  # by identity
        self._turn = threading.RLock()  # the program's threads may all call what it borrowed
        by_value = self.work["style"] != "class"
        self._talk = Talk(self._form_of, self._handle_of, subclasses=by_value, asks=True)

    def _answer(self, message: Message) -> None:
        try:
            reply = self._done(message)
        except _MemoryError as error:
            error.__traceback__ = None  # lets go of what the program held
            reply = _NO_MEMORY
        flush()
        frames.send(self.channel, reply)

    def _done(self, message: Message) -> Message:
        self._talk.shared.forget(message["dropped"])
        arguments, named = self._talk.unpack(message, "args", "kwargs")
        on, do = message["on"], message["do"]
        if do == "kind":
            return self._talk.pack(value=_kind(self.namespace.get(on)))
        target = self.namespace[on] if type(on) is str else self._objects[on]
        try:
            if do in ("next", "send", "throw"):
                return self._items(target, do, *arguments)
            if do == "call":
                value = target(*arguments, **dict(named))
            else:
                value = OPERATIONS[do](target, *arguments)
            load.restore_builtins()
            return self._talk.pack(value=value)
        except _MemoryError:
            raise  # its arguments may be what fills the memory
        except CannotCross as problem:
            return self._raised(ValueError(f"the answer gave {problem}"))
        except _BaseException as error:
            load.restore_builtins()
            return self._raised(error)

    def _raised(self, error: BaseException) -> Message:
        try:
            changes = self._talk.pack()
        except CannotCross:
            changes = {"changed": []}
        return {**changes, "raised": self._form_of_error(error)}

    def _items(self, iterator: Any, do: str, argument: Any) -> Message:
        """Some items of an iterator, and why there are no more."""
        items: List[Any] = []
        ended: Dict[str, Any] = {}
        try:
            if do == "send":
                items.append(iterator.send(argument))
            elif do == "throw":
                items.append(iterator.throw(argument))
            else:
                while len(items) < argument:
                    items.append(_next(iterator))
                    if not _stays_as_it_is(items[-1]):
                        break  # the iterator may change it when it goes on
        except _MemoryError:
            raise
        except _BaseException as error:
            ended = {"ended": self._form_of_error(error)}
        return {**self._talk.pack(value=tuple(items)), **ended}

    def _form_of(self, value: Any) -> Any:
        """How something that is no plain data crosses: as an exception or a handle."""
        if issubclass(type(value), _BaseException):
            return ["E", self._form_of_error(value)]
        number = self._borrowed_numbers.get(_id(value))
        if number is not None:
            return ["p", number]
        number = self._numbers.get(_id(value))
        if number is None:
            if len(self._objects) >= _MOST_HANDLES:
                raise CannotCross("more objects than anyone keeps")
            number = self._numbers[_id(value)] = len(self._objects)
            self._objects.append(value)
        return ["h", number, type(value).__name__, _sort(value), _own_hash(value)]

    def _form_of_error(self, error: BaseException) -> Message:
        try:
            told = describe(error, FILENAME, self.work["first_line"])
            return self._talk.errors.form_of(error, told)
        except _MemoryError:
            raise
        except _BaseException:  # its class has a way of its own to be looked at
            return bare_form("Exception", "an exception that cannot be told")

    def _handle_of(self, tag: str, number: Any, *about: Any) -> Any:
        if tag == "E":
            return self._talk.errors.error_of(number)
        if tag == "w":
            decode = Decoder(self._handle_of).decode
            return bound(*map(decode, (number, *about)))
        if tag == "h":
            return self.namespace[number] if type(number) is str else self._objects[number]
        if number not in self._borrowed:
            found = self._borrowed[number] = borrowed(
                lambda *call: self._ask(number, *call), *about
            )
            self._borrowed_numbers[_id(found)] = number
        return self._borrowed[number]

    def _ask(self, number: int, args: Any, kwargs: Any) -> Any:
        """Calls a function or iterator of the tests, which stays with the judge."""
        with self._turn:
            values = self._talk.pack(args=args, kwargs=tuple(kwargs.items()))
            flush()
            frames.send(self.channel, {"borrowed": number, **values})
            message = frames.receive(self.channel)
            while message["do"] != "return":  # which may call the answer before it returns
                self._answer(message)
                message = frames.receive(self.channel)
            if "raised" not in message:
                return self._talk.unpack(message, "value")[0]
            self._talk.unpack(message)
            error = self._talk.errors.error_of(message["raised"])
        raise error


class SingleTestWorker(Worker):
    """Has only one test to serve, and waits for its calls as soon as the program has loaded."""

    forks = False

    def run(self) -> NoReturn:
        loaded = self.load()
        frames.send(self.channel, loaded)
        self.obey({})


def _kind(value: Any) -> Any:
    """The kind of a thing that the program defines; for an exception its classes' names."""
    if isinstance(value, type) and issubclass(value, _BaseException):
        return class_names(value)
    return None if value is None else "object"


def _own_hash(value: Any) -> Any:
    """The hash of an object whose class defines one; else None.

    It is any number where the class' own raises: the judge asks again when it needs the hash, and
    is told of the exception then.
    """
    if type(value).__hash__ is _object_hash:
        return None
    try:
        return _hash(value)
    except _Exception:
        return 0


def _stays_as_it_is(item: Any) -> bool:
    parts = item if type(item) is tuple else (item,)
    return all(type(part) in _UNCHANGING for part in parts)


def _sort(value: Any) -> str:
    if type(value) is types.GeneratorType:
        return "generator"
    return "function" if _callable(value) else "object"
