"""Keeps what a zygote has imported close together, so that its forks cost less.

A fork copies one entry for each page of its parent and drops them all at its end. For the pages of
a data science library, small and strewn over the machine's memory, that takes as long as many a
candidate runs. Linux can move them into huge pages: one entry for 512, until the fork writes there.

Only whole stretches of two megabytes can be moved. So Python takes its memory from the C library's
heap while libraries are imported, instead of in pieces between them; and before the move the gaps
in the heap are filled, lest this process and its forks go on writing all over it. Where the system
can do none of that, nothing happens.
"""

import contextlib
import ctypes
from typing import Any, Callable, Iterator, TypeVar

_HUGE = 2 << 20
_GAPS = (*(1 << bits for bits in range(18, 9, -1)), 528)  # Python keeps smaller ones itself
_MOST_GAPS = 3000  # of one size
_FROM_TOP = 4 << 20  # too large for most gaps
_STACK = 1 << 16  # words
MADV_COLLAPSE = 25
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3

Function = TypeVar("Function", bound=Callable[..., Any])

_libc = ctypes.CDLL(None)
_python = ctypes.pythonapi


class _Arenas(ctypes.Structure):
    """Where Python gets memory: functions that are called with `context` before all else."""

    _fields_ = [
        ("context", ctypes.c_void_p),
        ("take", ctypes.c_void_p),
        ("give_back", ctypes.c_void_p),
    ]


def keeps_stack(function: Function) -> Function:
    """For who calls much that is made together: Python's call stack is to stay in one piece.

    It grows by pieces from where all memory comes from. At the edge of one, calls would take and
    give back the next again and again, and what is made together is not given back. So this frame
    claims to be so large that there is room for all others in its own piece.
    """
    function.__code__ = function.__code__.replace(co_stacksize=_STACK)
    return function


@contextlib.contextmanager
def together() -> Iterator[None]:
    """What Python allocates meanwhile lies in the C library's heap, next to each other.

    So do later arrays of up to 32 MB, as with a program that has used one of that size before.
    """
    if not hasattr(_libc, "mallopt"):
        yield
        return
    _libc.mallopt(M_MMAP_THRESHOLD, 32 << 20)
    _libc.mallopt(M_TRIM_THRESHOLD, 64 << 20)
    _libc.mallopt(M_TOP_PAD, _HUGE)
    usual = _Arenas()
    _python.PyObject_GetArenaAllocator(ctypes.byref(usual))
    # aligned_alloc(4096, size); and labs(4096), which does nothing: little is given back here.
    # Afterwards what becomes free is unmapped as usual, which whole pages of the heap can be, too.
    heap = _Arenas(4096, _address("aligned_alloc"), _address("labs"))
    _python.PyObject_SetArenaAllocator(ctypes.byref(heap))
    try:
        yield
    finally:
        _python.PyObject_SetArenaAllocator(ctypes.byref(usual))


def gather() -> None:
    """Moves the heap into huge pages; a second time, only what has left them since."""
    if not hasattr(_libc, "mallopt"):
        return
    _fill_gaps()
    for start, end in _stretches():
        for place in range(-(-start // _HUGE) * _HUGE, end - _HUGE + 1, _HUGE):
            _libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(_HUGE), MADV_COLLAPSE)


def _fill_gaps() -> None:
    """Takes, for good, what would otherwise be allocated next in between."""
    allocate = _libc.malloc
    allocate.restype = ctypes.c_void_p
    top = allocate(_FROM_TOP) or 0
    in_heap = any(start <= top < end for start, end in _stretches())  # or nobody knows where it is
    _libc.free(ctypes.c_void_p(top))
    for size in _GAPS if in_heap else ():
        for _ in range(_MOST_GAPS):
            place = allocate(size)
            if place is None or place >= top:
                _libc.free(ctypes.c_void_p(place))
                break


def _stretches() -> "list[tuple[int, int]]":
    """Of the heap, which has holes where something was given back."""
    with open("/proc/self/maps") as maps:
        found = [line.split("-", 1) for line in maps if line.endswith("[heap]\n")]
    return [(int(start, 16), int(rest.split(None, 1)[0], 16)) for start, rest in found]


def _address(name: str) -> "int | None":
    return ctypes.cast(getattr(_libc, name), ctypes.c_void_p).value
