"""Functions and modules that a test passes to an answer: run in the judge, or in the worker.

A function that the test wrote stays with the judge and does what the test wrote. A library's own is
never called here for the answer: `eval`, `pickle.loads` or `str.format` would do, or tell, whatever
the answer asks them to. Of that the worker has its own.
"""

import functools
import operator
import sys
import types
from typing import Any, List, NamedTuple, Optional, Tuple

from polyassay_harness.testing.describe import MODULE

BOUND = (types.MethodType, types.BuiltinMethodType)
_NAMED = (types.FunctionType, types.BuiltinFunctionType, type)
_OF_CLASSES = (
    *(types.MethodDescriptorType, types.WrapperDescriptorType),
    types.ClassMethodDescriptorType,
)
_DATA = (str, bytes, int, float, complex, tuple, frozenset)


class Home(NamedTuple):
    """The place in a library where both sides find the same thing."""

    module: str
    name: str  # with its class


def home_of(value: Any) -> Optional[Home]:
    """Where a library's function, class or method is to be found; None for everything else."""
    owner: Any = value
    if isinstance(value, _OF_CLASSES):
        owner, name = value.__objclass__, f"{value.__objclass__.__qualname__}.{value.__name__}"
    elif isinstance(value, _NAMED):
        name = value.__qualname__
        owner = getattr(value, "__self__", None)  # a class, of `dict.fromkeys`
        owner = owner if isinstance(owner, type) else value
    else:
        return None
    module = getattr(owner, "__module__", None)
    if type(module) is not str or module == MODULE or module not in sys.modules:
        return None
    try:
        found = operator.attrgetter(name)(sys.modules[module])
    except AttributeError:
        return None
    return Home(module, name) if found == value else None


def bound_of(value: Any) -> Optional[Tuple[Any, Tuple[Any, ...], Any]]:
    """The function, arguments and names of a partial call of a library's function.

    A method of plain data that cannot change is one, too.
    """
    if type(value) is functools.partial and home_of(value.func) is not None:
        return value.func, value.args, value.keywords
    if type(value) is types.BuiltinMethodType and type(value.__self__) in _DATA:
        return getattr(type(value.__self__), value.__name__), (value.__self__,), {}
    return None


def is_of_library(value: Any) -> bool:
    """Whether it belongs to a library; such things are never called in the judge for an answer."""
    if home_of(value) is not None or bound_of(value) is not None:
        return True
    own = value.__func__ if type(value) is types.MethodType else None
    return own is not None and (home_of(own) or Home("", "")).module == "string"  # a Formatter's


def parameters(value: Any) -> Optional[List[str]]:
    """Names of a function's parameters, where they are as plain as can be."""
    code = getattr(value, "__code__", None)
    if type(value) is not types.FunctionType or type(code) is not types.CodeType:
        return None
    plain = code.co_flags & 0x0C == 0 and not code.co_kwonlyargcount and not value.__defaults__
    return list(code.co_varnames[: code.co_argcount]) if plain else None
