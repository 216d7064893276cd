"""A candidate judged apart: holds the program and nothing else, and answers calls.

It knows neither tests nor expected values, and has no way to say "passed". What it sends is
decoded as plain data; a forged message is at most a wrong answer.
"""

import operator
from typing import Any, Callable, Dict, List, NoReturn

from polyassay_harness import frames, load
from polyassay_harness.checks import describe, shorten
from polyassay_harness.child import Child, flush
from polyassay_harness.limits import allow_cpu
from polyassay_harness.wire import CannotCross, Decoder, Encoder

_BaseException, _Exception, _repr = BaseException, Exception, repr
_MemoryError = MemoryError
_MOST_HANDLES = 100_000
_NO_MEMORY = {
    "raised": {"classes": [["builtins", "MemoryError"]], "args": [], "told": "out of memory"},
    "changed": [],
}

_OPERATIONS: Dict[str, Callable[..., Any]] = {
    "getitem": operator.getitem,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "contains": operator.contains,
    "len": len,
    "bool": bool,
    "str": str,
    "iter": iter,
    "get": getattr,
    "set": setattr,
    "enter": lambda target: type(target).__enter__(target),
    "exit": lambda target, *error: type(target).__exit__(target, *error),
}


class Worker(Child):
    def prepare(self) -> None:
        """The suite's imports and helpers, which the answer may rely on."""
        self._objects: List[Any] = []
        self._by_value = self.request["style"] != "class"
        try:
            code = compile(self.request["setup"], "<setup>", "exec", dont_inherit=True)
            exec(code, self.namespace)
        except _BaseException:
            return  # the judge, which runs it too, will say so

    def obey(self, command: Dict[str, Any]) -> NoReturn:
        """Answers calls until the supervisor ends this process."""
        allow_cpu(self.request["limits"]["seconds"])
        self._objects = []
        while True:
            message = frames.receive(self.channel)
            try:
                reply = self._answer(message)
            except _MemoryError as error:
                error.__traceback__ = None  # lets go of what the program held
                reply = _NO_MEMORY
            flush()
            frames.send(self.channel, reply)

    def _answer(self, message: Dict[str, Any]) -> Dict[str, Any]:
        decoder = Decoder(lambda number, kind: self._objects[number])
        on = message["on"]
        target = self.namespace[on] if type(on) is str else self._objects[on]
        arguments = [decoder.decode(form) for form in message["args"]]
        named = {name: decoder.decode(form) for name, form in message["kwargs"].items()}
        before = self._contents(decoder.values)
        try:
            if message["do"] == "next":
                return self._next(target, arguments[0])
            if message["do"] == "call":
                value = target(*arguments, **named)
            else:
                value = _OPERATIONS[message["do"]](target, *arguments)
            load.restore_builtins()
            return self._reply(decoder.values, before, {"value": value})
        except _MemoryError:
            raise  # its arguments may be what fills the memory
        except _BaseException as error:
            load.restore_builtins()
            return self._reply(decoder.values, before, {}, error)

    def _reply(
        self,
        values: List[Any],
        before: List[str],
        results: Dict[str, Any],
        error: "BaseException | None" = None,
    ) -> Dict[str, Any]:
        """The result, and those arguments that are not what they were."""
        after = self._contents(values)
        encoder = self._encoder(values)
        changed = [number for number, text in enumerate(before) if text != after[number]]
        try:
            reply = {name: encoder.encode(value) for name, value in results.items()}
            reply["changed"] = [[number, encoder.contents(values[number])] for number in changed]
        except CannotCross as problem:
            return {"raised": self._raised(ValueError(f"the answer gave {problem}")), "changed": []}
        if error is not None:
            reply["raised"] = self._raised(error)
        return reply

    def _next(self, iterator: Any, count: int) -> Dict[str, Any]:
        """Some items of an iterator, and why there are no more."""
        items: List[Any] = []
        encoder = self._encoder([])
        for _ in range(count):
            try:
                item = next(iterator)
            except StopIteration:
                return {"value": ["t", items], "done": True, "changed": []}
            except _BaseException as error:
                return {"value": ["t", items], "raised": self._raised(error), "changed": []}
            items.append(encoder.encode(item))
        return {"value": ["t", items], "done": False, "changed": []}

    def _contents(self, values: List[Any]) -> List[str]:
        if not values:
            return []
        encoder = self._encoder(values)
        return [_repr(encoder.contents(value)) for value in values]

    def _encoder(self, values: List[Any]) -> Encoder:
        encoder = Encoder(self._handle, subclasses=self._by_value)
        encoder.adopt(values)
        return encoder

    def _handle(self, value: Any) -> Any:
        for number, known in enumerate(self._objects):
            if known is value:
                return ["h", number, ""]
        if len(self._objects) >= _MOST_HANDLES:
            raise CannotCross("more objects than anyone keeps")
        self._objects.append(value)
        return ["h", len(self._objects) - 1, type(value).__name__]

    def _raised(self, error: BaseException) -> Dict[str, Any]:
        """An exception by its classes and its message; its own attributes stay here."""
        try:
            arguments = [Encoder().encode(argument) for argument in error.args]
        except _Exception:
            arguments = [shorten(describe(error, "", 1))]
        return {
            "classes": [[kind.__module__, kind.__qualname__] for kind in type(error).__mro__],
            "args": arguments,
            "told": describe(error, load.FILENAME, self.request["first_line"]),
        }


class SoloWorker(Worker):
    """Has only one test to serve, and waits for its calls as soon as the program has loaded."""

    def run(self) -> NoReturn:
        loaded = self.load()
        frames.send(self.channel, loaded)
        self.obey({})
