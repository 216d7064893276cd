"""Functions and iterators of the tests, as the program sees them."""

from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import Any, Callable, List, Optional

_eval, _import_module, _attrgetter, _partial = eval, import_module, attrgetter, partial
Ask = Callable[[Any, Any], Any]


class BorrowedIterator:
    """Asks for each item when it is wanted."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def __iter__(self) -> "BorrowedIterator":
        return self

    def __next__(self) -> Any:
        return self._ask((), {})


def bound(function: Any, args: Any, kwargs: Any) -> Any:
    """A partial call of what a library at home here has."""
    return _partial(function, *args, **kwargs)


def borrowed(
    ask: Ask, parameters: Optional[List[str]], name: Optional[str], home: Optional[str]
) -> Any:
    """A function with these parameters, where they are known; without a name, an iterator.

    What a library at home here has under that name is not borrowed at all.
    """
    if name is None:
        return BorrowedIterator(ask)
    if home is not None:
        return _attrgetter(name)(_import_module(home))

    def ask_judge(*args: Any, **kwargs: Any) -> Any:
        return ask(args, kwargs)

    function: Any = ask_judge
    if parameters is not None:
        names = ", ".join(parameters)
        code = f"lambda {names}: _polyassay_borrowed({names})"
        function = _eval(code, {"_polyassay_borrowed": ask_judge})
    function.__name__ = function.__qualname__ = name
    return function
