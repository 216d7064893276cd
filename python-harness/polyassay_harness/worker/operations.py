"""The operations that a judge may ask an object for, by name."""

import copy
import math
import operator
from typing import Any, Callable, Dict

# fmt: off
_COMPUTING: Dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, f"__{name}__") for name in (
        "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift",
        "and", "or", "xor",
    )},
    "divmod": divmod,
}
# fmt: on


def _reflected(operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda target, other: operate(other, target)


def _exit(target: Any, error: Any) -> bool:
    kind = None if error is None else type(error)
    trace = None if error is None else error.__traceback__
    return bool(type(target).__exit__(target, kind, error, trace))


OPERATIONS: Dict[str, Callable[..., Any]] = {
    **_COMPUTING,
    **{f"r{name}": _reflected(operate) for name, operate in _COMPUTING.items()},
    **{f"i{name}": getattr(operator, f"__i{name}__") for name in _COMPUTING if name != "divmod"},
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{name: getattr(operator, name) for name in ("neg", "pos", "abs", "invert", "index")},
    **{name: getattr(math, name) for name in ("trunc", "floor", "ceil")},
    "round": round,
    "int": int,
    "float": float,
    "complex": complex,
    "bytes": bytes,
    "hash": hash,
    "getitem": operator.getitem,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "contains": operator.contains,
    "len": len,
    "bool": bool,
    "str": str,
    "repr": repr,
    "format": format,
    "iter": iter,
    "reversed": reversed,
    "close": lambda target: target.close(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "get": getattr,
    "set": setattr,
    "delete": delattr,
    "isinstance": lambda target, value: isinstance(value, target),
    "special": lambda target, name, other: getattr(type(target), name)(target, other),
    "enter": lambda target: type(target).__enter__(target),
    "exit": _exit,
}
