"""Exceptions on their way between worker and judge: by class, arguments and plain attributes.

One of a class that the other side does not know arrives as one of a made-up class, below the
nearest that it knows. One that the judge has sent and gets back is the very same.
"""

import builtins
import contextlib
import json
import re
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Type

from polyassay_harness.crossing.subclasses import says_yes
from polyassay_harness.crossing.values import CannotCross, Decoder, Encoder, Malformed
from polyassay_harness.testing.describe import MODULE, TOLD, describe, shorten

_LONGEST = 1000
_MOST_FIELDS = 50
_TEXT = "polyassay_text"  # on one of a made-up class: what it says of itself
_NOTES = "__notes__"
_OF_KINDS = {
    OSError: ("filename", "filename2"),
    ImportError: ("name", "path"),
    NameError: ("name",),
}
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
        self._made: Dict[Tuple[str, type], Type[BaseException]] = {}
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
                "classes": class_names(type(error)),
                "args": self._arguments(error),
                "fields": self._fields(error),
                "cause": self._other(error.__cause__),
                "context": self._other(error.__context__),
                "suppress": error.__suppress_context__ is True,
                "text": self._own_text(error),
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
            found = Decoder(self._decode).decode(value)
            can_be = type(name) is str and (name == _NOTES or not name.startswith("_"))
            if can_be and not says_yes(name, found):
                setattr(error, name, found)
        if type(form["text"]) is str:
            setattr(error, _TEXT, form["text"])
        error.__cause__ = self.error_of(form["cause"]) if form["cause"] else None
        error.__context__ = self.error_of(form["context"]) if form.get("context") else None
        error.__suppress_context__ = form.get("suppress") is True
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
        """Its attributes, with those that a class of the program's gives it."""
        found = []
        try:
            own = [vars(kind) for kind in type(error).__mro__ if kind.__module__ == MODULE]
            places = (*_built_in_fields(error), vars(error), *own)
            names = list(dict.fromkeys(name for place in places for name in place))
        except _Exception:
            return []  # a class may say what it likes about that
        for name in names[:_MOST_FIELDS]:
            with contextlib.suppress(_Exception):
                if type(name) is not str:
                    continue
                if name != _NOTES and name.startswith(("_", "polyassay_")):
                    continue
                form = self._plain(getattr(error, name))
                if len(_dumps(form)) <= _MOST_TEXT:
                    found.append([name, form])
        return found

    def _own_text(self, error: BaseException) -> Optional[str]:
        kind = type(error)
        if kind.__module__ != MODULE:
            return None
        try:
            return "".join(str(error))[:_MOST_TEXT]
        except _Exception:
            return None

    def _other(self, error: Optional[BaseException]) -> Optional[Form]:
        try:
            return None if error is None else self.form_of(error)
        except _Exception:
            return None

    def _plain(self, value: Any) -> Any:
        """Without numbers of its own in the message that the exception is part of."""
        return Encoder(self._encode).encode(value)

    def class_of(self, names: List[List[str]]) -> Type[BaseException]:
        """The class of these names, which are those of its bases as well, nearest first."""
        for depth, (module, name) in enumerate(names):
            kind = _known(module, name)
            if kind is not None:
                return self._made_up(names[0], kind) if depth else kind
        raise Malformed("an exception that is none")

    def _built(self, form: Form) -> BaseException:
        arguments = [Decoder(self._decode).decode(value) for value in form["args"]]
        kind = self.class_of(form["classes"])
        try:
            error = kind(*arguments)
        except _Exception:
            error = kind.__new__(kind)
            error.args = tuple(arguments)
        if not isinstance(error, BaseException):
            raise Malformed("an exception that is none")
        return error

    def _made_up(self, names: List[str], base: Type[BaseException]) -> Type[BaseException]:
        module, name = map(str, names)
        name = re.sub(r"\W", "_", name.rpartition(".")[2])[:100] or "Error"
        key = (name, base)
        if key not in self._made:
            own = {"__module__": module, "__str__": lambda error: _text(error, base)}
            self._made[key] = type(name, (base,), own)
        return self._made[key]


def _built_in_fields(error: BaseException) -> Iterator[List[str]]:
    """What an interpreter says of an error besides its arguments."""
    for kind, names in _OF_KINDS.items():
        if issubclass(type(error), kind):
            yield [name for name in names if getattr(error, name) is not None]


def _text(error: BaseException, base: Type[BaseException]) -> str:
    """What the error says of itself, where its class says that in a way of its own."""
    text = vars(error).get(_TEXT)
    return text if type(text) is str else base.__str__(error)


def bare_form(name: str, told: str) -> Form:
    """Of one of a built-in class, of which there is no more to say."""
    return {
        "classes": [["builtins", name]],
        "args": [],
        "fields": [],
        "cause": None,
        "text": None,
        "told": told,
    }


def class_names(kind: type) -> List[List[str]]:
    """Of a class and its bases; one that merely says to be of a library is the answer's own."""
    return [
        [MODULE if _known(*named) not in (None, base) else named[0], named[1]]
        for base in kind.__mro__
        for named in [(base.__module__, base.__qualname__)]
    ]


def _known(module: Any, name: Any) -> Any:
    """A class that this interpreter has imported itself, outside of any candidate's reach."""
    if type(module) is not str or type(name) is not str:
        return None
    if module.partition(".")[0] == __name__.partition(".")[0]:
        return None  # ours, which mean something to the judge itself
    home = builtins if module == "builtins" else sys.modules.get(module)
    kind = vars(home).get(name) if home is not None else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None
