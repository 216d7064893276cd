"""Arrays, numbers and types of numpy: their bytes and a description."""

import base64
import re
import sys
from typing import Any, Dict, List

_DTYPE = re.compile(r"[<>|=][biufcSUmM][0-9]+(\[[0-9]*[a-zA-Z]+\])?")
_type = type


def is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and _type(value) is numpy.ndarray and _is_plain(value.dtype)


def is_array_scalar(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is None or not issubclass(_type(value), numpy.generic):
        return False
    return _type(value).__module__ == "numpy" and _is_plain(value.dtype)


def is_dtype(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(_type(value), numpy.dtype) and _is_plain(value)


def array_form(value: Any) -> List[Any]:
    return [value.dtype.str, list(value.shape), encoded(value.tobytes())]


def array(dtype: str, shape: List[int], text: str) -> Any:
    numpy, kind = _numpy(), dtype_of(dtype)
    data = base64.b64decode(text)
    found = numpy.frombuffer(data, kind) if data else numpy.empty(0, kind)
    return found.reshape([int(size) for size in shape]).copy()


def dtype_of(name: Any) -> Any:
    if _type(name) is not str or not _DTYPE.fullmatch(name):
        raise ValueError("a type of arrays")
    return _numpy().dtype(name)


def encoded(data: Any) -> str:
    return base64.b64encode(data).decode()


def memory_form(value: memoryview) -> List[Any]:
    return [encoded(bytes(value)), value.format, list(value.shape or ())]


def memory(text: str, item: str, shape: List[int]) -> memoryview:
    found = memoryview(base64.b64decode(text))
    return found if item == "B" and len(shape) == 1 else found.cast(item, shape)  # type: ignore[call-overload]


def _is_plain(dtype: Any) -> bool:
    return _DTYPE.fullmatch(dtype.str) is not None


def _numpy() -> Any:
    import numpy  # the suite's, where its values cross at all

    return numpy


MEMORY_FORMATS: Dict[str, None] = dict.fromkeys("BbcHhIiLlQqNnfd?")
