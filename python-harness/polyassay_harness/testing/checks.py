"""Compiles a suite's tests so that a failed assertion shows the values it compared.

Every comparison in a test goes through a `Checker`. It keeps the values of the last one for the
message, and does not believe an object that merely claims to be equal to a plain value: `==` asks
the candidate's own `__eq__`, and that may answer what it likes. Only the side that the candidate
cannot have made up counts as plain, so two objects of the candidate's classes still compare. Where
a task is about a class, what the test itself makes by calling it is asked as Python asks.
"""

import ast
import contextlib
import os
import sys
import types
import weakref
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from polyassay_harness.testing.describe import shorten, show, text_of
from polyassay_harness.testing.rewriting import (
    ASSERTED,
    COMPARE,
    MADE,
    OPERATORS,
    SYMBOLS,
    compiled_test,
)

_SCALARS = frozenset({int, float, complex, bool, str, bytes, bytearray, type(None), range})
_CONTAINERS = frozenset({list, tuple, dict, set, frozenset})
_MOST_ELEMENTS = 100_000
# Names by which a program could reach for equality or for the interpreter, also as `_sys`.
_SUSPICIOUS = frozenset(
    {"dataclass", "total_ordering", "mock", "unittest", "type", "types", "getattr", "setattr"}
    | {"exec", "eval", "compile", "importlib", "modules", "globals", "locals", "vars", "builtins"}
    | {"ctypes", "sys", "gc", "inspect", "operator", "pickle", "marshal", "settrace", "setprofile"}
)
_HARMLESS = frozenset(
    {"__init__", "__name__", "__module__", "__qualname__", "__doc__", "__annotations__"}
)

SAME = ("==", "in", "__eq__", "__contains__")
OTHER = ("!=", "not in", "__ne__")

_open = open  # tests may put a mock in its place
_type, _mro, _namespace = type, type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_slot_wrapper = type(object.__eq__)
# Where the interpreter finds modules of its own, and the libraries that are installed for it.
_TRUSTED_FOLDERS = tuple(
    os.path.join(path, "") for path in sys.path if path.startswith((sys.prefix, sys.base_prefix))
)


Operate = Callable[[str, Callable[[Any, Any], Any], Any, Any], Any]


def _operate(name: str, how: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    return how(left, right)


class Checker:
    """Compiles one test, and explains what did not hold.

    A careful one compares in its own way, and one that records keeps what was compared, because
    to ask again may give another value. Others cost next to nothing until something fails.
    """

    def __init__(
        self,
        code: str,
        filename: str,
        mode: str = "exec",
        *,
        careful: bool,
        records: bool = False,
        operate: Operate = _operate,
        entry: str = "",
    ) -> None:
        self._careful = careful
        self._operate = operate
        self._source = code
        self._filename = filename
        self._mode = mode
        self._trusts_mocks = "mock" in code
        self._made: Dict[int, Callable[[], Any]] = {}  # id → a way to the test's own object
        self._last: Optional[Tuple[str, Any, Any]] = None
        made = compiled_test(code, filename, mode, compares=careful or records, entry=entry)
        self.compiled, self._assertions = made.code, made.assertions
        self._reached = self._failed = 0
        self.names = {
            COMPARE: self.compare,
            ASSERTED: self.asserted,
            MADE: self.made,
        }

    def trust_mocks(self) -> None:
        """The suite's own code uses mocks, whose equality is then part of the test."""
        self._trusts_mocks = True

    def go_on(self, before: "Optional[Checker]") -> None:
        """The test builds on another, and has the objects that that one made."""
        if before is not None:
            self._made = before._made

    def made(self, value: Any) -> Any:
        """The test has called the class that it is about: what this object says is meant."""
        if self._careful:
            try:
                self._made[id(value)] = weakref.ref(value)
            except TypeError:  # a class with slots; it lives as long as the test then
                self._made[id(value)] = lambda: value
        return value

    def compare(self, symbol: str, left: Any, right: Any, given: Tuple[bool, bool]) -> Any:
        """`given`: which of the two the answer has handed out (testing/given.py)."""
        held = self._operate(symbol, SYMBOLS[symbol], left, right)
        if not self._careful or held is NotImplemented:
            pass  # which claims nothing
        elif symbol in SAME and held is not False and self._merely_claims(left, right, given):
            held = False
        elif symbol in OTHER and held is not True and self._merely_claims(left, right, given):
            held = True
        if held is not True:
            self._last = (symbol, left, right)
        return held

    def asserted(self, value: Any, caught: bool) -> bool:
        """Counts an assertion; `caught`: the test itself has a way to go on if it fails.

        NotImplemented is true to Python, and is what an object's own `__eq__` says to most things.
        """
        held = value is not NotImplemented and bool(value)
        self._reached += 1
        self._failed += not held and not caught
        return held

    def unchecked(self) -> str:
        """Why a test whose code ran to its end has not passed, if so."""
        if self._failed:
            return "an assertion did not hold, and what it raised was swallowed"
        if self._assertions and not self._reached:
            return "none of the test's assertions was reached"
        return ""

    def explain(self, error: BaseException, names: Optional[Dict[str, Any]] = None) -> str:
        """Explains an AssertionError of this test in one line; `names` are an expression's."""
        told = shorten(text_of(error))
        if told.strip():
            return told
        frame, line = self._place(error)
        if frame is not None:
            names = {**frame.f_globals, **frame.f_locals}
        for node in ast.walk(ast.parse(self._source, self._filename, self._mode)):
            if isinstance(node, ast.Expression) or (
                isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line)
            ):
                claim = node.body if isinstance(node, ast.Expression) else node.test
                return self._explain(claim, names or {})
        source = self._source.splitlines()[line - 1 : line]
        return shorten(f"{''.join(source).strip() or 'an assertion'} was reached")

    def _explain(self, claim: ast.expr, names: Dict[str, Any]) -> str:
        """The values that were compared, evaluated once more unless they were kept."""
        if isinstance(claim, ast.Compare) and len(claim.ops) == 1:
            symbol = OPERATORS[type(claim.ops[0])][0]
            values = self._last[1:] if self._last and self._last[0] == symbol else None
            if values is None:
                values = self._evaluated(claim, names)
            if values is not None:
                shown = [show(value) for value in values]
                if symbol != "==":
                    return f"{shown[0]} {symbol} {shown[1]} does not hold"
                if _is_literal(claim.left) and not _is_literal(claim.comparators[0]):
                    shown.reverse()
                return f"expected {shown[1]} but was {shown[0]}"
        return shorten(f"{ast.get_source_segment(self._source, claim)} does not hold")

    def _evaluated(self, claim: ast.Compare, names: Dict[str, Any]) -> Optional[Tuple[Any, ...]]:
        both = ast.Tuple([claim.left, claim.comparators[0]], ast.Load())
        tree = ast.fix_missing_locations(ast.Expression(ast.copy_location(both, claim)))
        try:
            with _muted():  # it has printed that already
                left, right = eval(compile(tree, self._filename, "eval"), names)  # noqa: S307
            # A function that gives another value now would be shown with the wrong one.
            return (
                None
                if SYMBOLS[OPERATORS[type(claim.ops[0])][0]](left, right) is True
                else (left, right)
            )
        except BaseException:  # also a worker's end, which came too late to matter
            return None

    def _place(self, error: BaseException) -> Tuple[Any, int]:
        """Where in the test it was raised: the frame and the line."""
        found: Tuple[Any, int] = (None, 1)
        traceback = error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self._filename:
                found = (traceback.tb_frame, traceback.tb_lineno)
            traceback = traceback.tb_next
        return found

    def _merely_claims(self, left: Any, right: Any, given: Tuple[bool, bool]) -> bool:
        if _type(left) in _SCALARS and _type(right) in _SCALARS:
            return False
        return (self._is_plain(right) and self._has_own_equality(left, given[0])) or (
            self._is_plain(left) and self._has_own_equality(right, given[1])
        )

    def _is_plain(self, value: Any) -> bool:
        """Data through and through, which no object of the candidate's had a say in."""
        known = _type(value) in _SCALARS or _type(value) in _CONTAINERS
        return known and not self._has_own_equality(value, True)

    def _has_own_equality(self, value: Any, given: bool) -> bool:
        """Whether the value, or anything in it, answers `==` with code of the candidate.

        What the test itself has made may do so, unless it was given back by the answer.
        """
        waiting: List[Any] = [value]
        seen = 0
        visited = set()
        while waiting:
            value = waiting.pop()
            kind = _type(value)
            if kind in _SCALARS:
                continue
            seen += 1
            if seen > _MOST_ELEMENTS:
                return False
            if kind in _CONTAINERS:
                if id(value) in visited:
                    continue
                visited.add(id(value))
                waiting.extend(value)
                if kind is dict:
                    waiting.extend(value.values())
            elif not (self._believes(kind) or (not given and self._was_made(value))):
                return True
        return False

    def _was_made(self, value: Any) -> bool:
        found = self._made.get(id(value))
        return found is not None and found() is value

    def _believes(self, kind: type) -> bool:
        for base in _mro(kind):
            equality = _namespace(base).get("__eq__")
            if equality is not None:
                break
        if _type(equality) is _slot_wrapper:
            return True  # written in C
        if _type(equality) is not types.FunctionType:
            return self._trusts_mocks  # a mock's configured answer
        home: str = equality.__code__.co_filename
        if equality.__globals__.get("__name__") == "unittest.mock":
            return self._trusts_mocks
        return home.startswith(_TRUSTED_FOLDERS) or home.startswith("<frozen ")


@contextlib.contextmanager
def _muted() -> Iterator[None]:
    """Nothing that is printed meanwhile gets anywhere."""
    kept = sys.stdout, sys.stderr
    with _open(os.devnull, "w") as nowhere:
        sys.stdout = sys.stderr = nowhere
        try:
            yield
        finally:
            sys.stdout, sys.stderr = kept


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return False
    return True


def may_claim(code: types.CodeType) -> bool:
    """Whether a program could make objects that claim to be equal to what they are not.

    It would have to name how, or name one of the means to do so without naming it.
    """
    waiting = [code]
    while waiting:
        found = waiting.pop()
        if any(map(_is_suspicious, found.co_names)):
            return True
        waiting += [value for value in found.co_consts if type(value) is types.CodeType]
    return False


def _is_suspicious(name: str) -> bool:
    return name.strip("_") in _SUSPICIOUS or (name.startswith("__") and name not in _HARMLESS)
