"""Exceptions on their way between worker and judge: by class, arguments and plain attributes.

One of a class that the other side does not know arrives as one of a made-up class, below the
nearest that it knows. One that the judge has sent and gets back is the very same.
"""

import builtins
import contextlib
import json
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from polyassay_harness.checks import describe, shorten
from polyassay_harness.wire import CannotCross, Decoder, Encoder, Malformed

TOLD = "polyassay_told"  # on an exception from a worker: what it said about it
_LONGEST = 1000
_MOST_FIELDS = 50
_MOST_TEXT = 100_000
_DEEPEST = 3
_dumps = json.dumps
_Exception = Exception

Form = Dict[str, Any]


class Errors:
    """One side's way to write and read them."""

    def __init__(self, encode: Callable[[Any], Any], decode: Callable[..., Any]) -> None:
        self._encode, self._decode = encode, decode  # handles
        self._sent: List[BaseException] = []
        self._received: Dict[int, Tuple[BaseException, int]] = {}
        self._made: Dict[Tuple[str, type], type] = {}
        self._depth = 0

    def form_of(self, error: BaseException, told: str = "") -> Form:
        _, number = self._received.get(id(error), (None, None))
        if number is not None:
            return {"back": number}
        if self._depth > _DEEPEST:
            raise CannotCross("exceptions within exceptions")
        self._depth += 1
        try:
            return {
                "classes": [[base.__module__, base.__qualname__] for base in type(error).__mro__],
                "args": self._arguments(error),
                "fields": self._fields(error),
                "cause": self._cause(error),
                "told": told,
            }
        finally:
            self._depth -= 1

    def numbered_form_of(self, error: BaseException) -> Form:
        """Of one that is to be recognised when it comes back."""
        self._sent.append(error)
        return {**self.form_of(error), "number": len(self._sent) - 1}

    def error_of(self, form: Form) -> BaseException:
        if "back" in form:
            return self._sent[form["back"]]
        error = self._built(form)
        for name, value in form["fields"]:
            if type(name) is str and not name.startswith("_"):
                setattr(error, name, Decoder(self._decode).decode(value))
        error.__cause__ = self.error_of(form["cause"]) if form["cause"] else None
        told = str(form["told"])[:_LONGEST]
        if told:
            setattr(error, TOLD, told)
        if "number" in form:
            self._received[id(error)] = (error, form["number"])
        return error

    def _arguments(self, error: BaseException) -> List[Any]:
        try:
            found = [self._plain(argument) for argument in error.args]
            if len(_dumps(found)) <= _MOST_TEXT:
                return found
        except _Exception:
            pass
        return [shorten(describe(error, "", 1))]

    def _fields(self, error: BaseException) -> List[Any]:
        found = []
        try:
            fields = list(vars(error).items())[:_MOST_FIELDS]
        except _Exception:
            return []  # a class may say what it likes about that
        for name, value in fields:
            with contextlib.suppress(_Exception):
                form = self._plain(value)
                if type(name) is str and name != TOLD and len(_dumps(form)) <= _MOST_TEXT:
                    found.append([name, form])
        return found

    def _cause(self, error: BaseException) -> Optional[Form]:
        cause = error.__cause__
        try:
            return None if cause is None else self.form_of(cause)
        except _Exception:
            return None

    def _plain(self, value: Any) -> Any:
        """Without numbers of its own in the message that the exception is part of."""
        return Encoder(self._encode).encode(value)

    def _built(self, form: Form) -> BaseException:
        arguments = [Decoder(self._decode).decode(value) for value in form["args"]]
        names = form["classes"]
        for depth, (module, name) in enumerate(names):
            kind = _known(module, name)
            if kind is None:
                continue
            if depth:
                kind = self._class(str(names[0][1]).rpartition(".")[2] or "Error", kind)
            try:
                error = kind(*arguments)
            except _Exception:
                error = kind.__new__(kind)
                error.args = tuple(arguments)
            if isinstance(error, BaseException):
                return error
        raise Malformed("an exception that is none")

    def _class(self, name: str, base: type) -> type:
        key = (name, base)
        if key not in self._made:
            self._made[key] = type(name, (base,), {})
        return self._made[key]


def _known(module: Any, name: Any) -> Any:
    """A class that this interpreter has imported itself, outside of any candidate's reach."""
    if type(module) is not str or type(name) is not str:
        return None
    home = builtins if module == "builtins" else sys.modules.get(module)
    kind = vars(home).get(name) if home is not None else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None
