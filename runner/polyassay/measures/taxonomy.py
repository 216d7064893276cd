"""Why a candidate failed: one list for Java, Python and notebooks."""

import re
from enum import StrEnum

from polyassay.model import Outcome, Style, Task, TestResult, TestStatus, Verdict
from polyassay.requirement import package_of

TAXONOMY = 3  # raise it whenever `failure_of` may say something else: stores keep what it says


class Failure(StrEnum):
    """From what never became a program to what ran and was wrong."""

    NO_ANSWER = "no answer"
    EMPTY_ANSWER = "empty answer"
    NOT_EXTRACTED = "not extracted"
    SYNTAX = "does not compile: syntax"
    MISSING_SYMBOL = "does not compile: missing symbol"
    TYPE = "does not compile: type"
    UNBUILT = "does not compile: other"
    WRONG_SIGNATURE = "wrong signature"
    LIBRARY_NOT_USED = "library not used"
    UNDEFINED = "wrong API or undefined name"
    UNDEFINED_NAME = "undefined name"  # of cells, as are the five below
    UNDEFINED_API = "undefined API"
    WRONG_SCHEMA = "wrong schema"
    NO_OUTPUT = "no output"
    TOO_MUCH_OUTPUT = "too much output"
    PARTLY_RIGHT = "partly right"
    EXCEPTION = "exception"
    WRONG_VALUE = "wrong value"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"


_ENDINGS: dict[Outcome, Failure | None] = {
    Outcome.TIMED_OUT: Failure.TIMEOUT,
    Outcome.OUT_OF_MEMORY: Failure.MEMORY,
    Outcome.CRASHED: Failure.CRASH,
}

# What harnesses, javac and CPython say; the first that matches. javac reports a parse error
# alone and before all others, so its words for syntax may come last.
_UNBUILT = [
    (r"answer is empty", Failure.EMPTY_ANSWER),
    (r"expected (signature|the class)|defines .*and not|defines no |tests do not compile",
     Failure.WRONG_SIGNATURE),
    (r"\b(SyntaxError|IndentationError|TabError)\b|null bytes", Failure.SYNTAX),
    (r"\b(NameError|AttributeError|ImportError|ModuleNotFoundError)\b", Failure.UNDEFINED),
    (r"\b(SystemExit|KeyboardInterrupt|[A-Z]\w*(Error|Exception|Warning))\b", Failure.EXCEPTION),
    (r"cannot find symbol|does not exist|cannot access|no suitable|cannot be applied",
     Failure.MISSING_SYMBOL),
    (r"incompatible|cannot be converted|bad operand|unreported exception|does not override"
     r"|incomparable|cannot be dereferenced|unexpected type|missing return", Failure.TYPE),
    (r"expected|illegal start|reached end of file|unclosed|not a statement|without|malformed",
     Failure.SYNTAX),
]  # fmt: skip
_RAISED = [
    (r"(positional|keyword) argument|required (positional|keyword)", Failure.WRONG_SIGNATURE),
    (r"\b(NameError|AttributeError|ImportError|ModuleNotFoundError|UnboundLocalError"
     r"|NoSuchMethod\w*|NoSuchField\w*|NoClassDefFoundError|ClassNotFoundException"
     r"|AbstractMethodError)\b|is not defined|has no attribute", Failure.UNDEFINED),
]  # fmt: skip
_ALIASES = {
    "matplotlib": ("plt",), "numpy": ("np",), "pandas": ("pd",), "seaborn": ("sns",),
    "scikit-learn": ("sklearn",), "tensorflow": ("tf",), "beautifulsoup4": ("bs4",),
}  # fmt: skip


# Outcomes that say all there is to say.
SETTLED: dict[Outcome, Failure | None] = {
    **_ENDINGS,
    **{outcome: None for outcome in Outcome if outcome is Outcome.PASSED or not outcome.counts},
}


def failure_of(verdict: Verdict, task: Task) -> Failure | None:
    """None where it passed, or where the tool does not answer for it."""
    if verdict.outcome in SETTLED:
        return SETTLED[verdict.outcome]
    return _unbuilt(verdict) if verdict.outcome is Outcome.UNBUILT else _failed(verdict, task)


def _unbuilt(verdict: Verdict) -> Failure:
    program = verdict.program
    reason = program.problem or verdict.reason
    found = _first_match(reason, _UNBUILT)
    if program.problem and found not in (Failure.EMPTY_ANSWER, Failure.WRONG_SIGNATURE):
        return Failure.NOT_EXTRACTED
    return found or Failure.UNBUILT


def _failed(verdict: Verdict, task: Task) -> Failure:
    bad = _first_bad(verdict)
    if bad and task.style is Style.CELL:
        return _of_cell(bad)
    if bad and bad.status is TestStatus.ERROR and (known := _first_match(bad.message, _RAISED)):
        return known
    if bad and (seen := _of_calls(bad.message)):
        return seen
    if _misses_library(verdict.program.code, task):
        return Failure.LIBRARY_NOT_USED
    return Failure.EXCEPTION if bad and bad.status is TestStatus.ERROR else Failure.WRONG_VALUE


def _of_calls(message: str) -> Failure | None:
    """Of an evaluation that only counts, as AixBench's do: calls that threw, if they explain it."""
    found = re.match(r".*counted (\d+) of (\d+): ", message)
    failed = int(found[2]) - int(found[1]) if found else 1
    threw = re.findall(r"\) threw (?!nothing)[\w.$]+", message)
    if not threw or len(threw) < failed:
        return None
    return _first_match(" ".join(threw), _RAISED) or Failure.EXCEPTION


def _of_cell(bad: TestResult) -> Failure:
    """A cell's message begins with the kind of its failure."""
    kind = bad.message.partition(":")[0]
    if kind == "syntax":
        return Failure.SYNTAX
    if kind in list(Failure):
        return Failure(kind)
    return Failure.EXCEPTION if bad.status is TestStatus.ERROR else Failure.WRONG_VALUE


def _first_match(text: str, rules: list[tuple[str, Failure]]) -> Failure | None:
    return next((failure for pattern, failure in rules if re.search(pattern, text)), None)


def _first_bad(verdict: Verdict) -> TestResult | None:
    """The first test that failed; of one-to-many tasks, in the set that came closest."""
    tests = verdict.tests
    if verdict.sets:
        best = max(verdict.sets, key=lambda name: verdict.sets[name].passed)
        tests = tuple(test for test in tests if test.name.rpartition("/")[0] == best)
    return next((test for test in tests if test.status is not TestStatus.PASSED), None)


def _misses_library(code: str, task: Task) -> bool:
    """Whether the reference names a library of the task, and the answer names none of them."""
    if not code or not task.reference:
        return False
    libraries = map(package_of, task.libraries)
    names = [name for lib in libraries for name in (lib, *_ALIASES.get(lib, ()))]
    pattern = "|".join(rf"\b{re.escape(name)}\b" for name in names)
    return bool(names and re.search(pattern, task.reference) and not re.search(pattern, code))
