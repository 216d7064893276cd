"""The values that move from a suite's files to a score; frozen, without input or output."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, Final

LUCKY = "lucky"  # a verdict's flag: it is another under other hash seeds, addresses or orders
COUNTED = "counted_total"  # in a task's `extra`: divide by this, and not by the number of tests
NAMED = "named"  # in a task's `extra`: its adapter has read the names of its pytest file's tests


class Language(StrEnum):
    JAVA = "java"
    PYTHON = "python"


class Style(StrEnum):
    """How a task is asked and judged."""

    FUNCTION = "function"  # Python: snippets of assertions call the entry
    CLASS = "class"  # Python: snippets make objects of the entry
    PROGRAM = "program"  # Python or Java: standard output for a given standard input
    SETS = "sets"  # Python: any function passes all of any one set
    PYTEST = "pytest"  # Python: a pytest file imports the answer
    CELL = "cell"  # Python: a notebook cell, judged by its output
    JUNIT = "junit"  # Java: a JUnit class calls the answer's class
    RUBRIC = "rubric"  # no tests: only people grade it


class Judging(StrEnum):
    APART = "apart"  # the tests are out of the candidate's reach
    TOGETHER = "together"  # one sandboxed process holds both


class Outcome(StrEnum):
    """How a candidate ended: of the first six outcomes, the first that applies."""

    UNBUILT = "unbuilt"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    FAILED = "failed"
    PASSED = "passed"
    NOT_RUNNABLE = "not_runnable"  # a declared library or the network is missing
    HARNESS_ERROR = "harness_error"  # ours: rerun, never scored

    @property
    def counts(self) -> bool:
        """Whether the tool is responsible for it, so that it counts in the scores."""
        return self not in (Outcome.NOT_RUNNABLE, Outcome.HARNESS_ERROR)


class TestStatus(StrEnum):
    __test__ = False  # not a pytest class

    PASSED = "passed"
    FAILED = "failed"  # an assertion did not hold
    ERROR = "error"  # something else was raised
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"  # the process ended in it
    NOT_RUN = "not_run"


LARGEST: Final = 1e9  # limit, in seconds or megabytes: more than any process can be given
SHORTEST: Final = 0.01  # CPU seconds of a test


def is_time_limit(value: object) -> bool:
    """Whether a test can have so many seconds; infinity and what is no number are refused."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and SHORTEST <= value < LARGEST
    )


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 10.0  # CPU time, a test
    total_seconds: float = 60.0  # CPU time, the whole candidate
    memory_mb: int = 1024


@dataclass(frozen=True, slots=True)
class Test:
    """The publisher's unit; its name is known before any candidate code runs."""

    __test__ = False

    name: str
    code: str = ""  # a Python snippet; for sets, the expression
    stdin: str = ""  # programs
    stdout: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    suite: str
    language: Language
    style: Style
    prompts: Mapping[str, str]
    tests: tuple[Test, ...] = ()
    entry: str = ""  # the Python function or class that the tests call
    class_name: str = ""  # the Java class (with its package) that the tests call
    signature: str = ""
    context: str = ""  # code that stands before the answer and that a completion continues
    suffix: str = ""  # code that stands after the answer
    setup: str = ""  # imports and helpers of the tests
    test_source: str = ""  # a JUnit class or a pytest file
    support: Mapping[str, str] = field(default_factory=dict)  # path → source that tests need
    data_files: Mapping[str, str] = field(default_factory=dict)  # path → base64, laid out afresh
    solution: Mapping[str, str] = field(default_factory=dict)  # path → stub; an answer's files
    reference: str = ""  # of several files: a listing of them
    reference_files: Mapping[str, str] = field(default_factory=dict)  # path → text; empty: one text
    libraries: tuple[str, ...] = ()  # Python: what it imports
    jars: Mapping[str, str] = field(default_factory=dict)  # Java: file name → SHA-256
    tags: tuple[str, ...] = ()
    limits: Limits = Limits()
    cluster: str = ""  # tasks whose results go along with each other; empty: the question
    needs_network: bool = False
    tests_build_on_each_other: bool = False
    together_because: str = ""  # why it cannot be judged apart; empty: it can
    together_by_author: bool = False  # who asked for it: then tests mean what they mean to Python
    extra: Mapping[str, str] = field(default_factory=dict)  # what one style alone needs

    @property
    def compared_by_runner(self) -> bool:
        """Whether the runner judges by the answer's output alone, without running a test."""
        return self.style in (Style.PROGRAM, Style.CELL)

    @property
    def judging(self) -> Judging:
        """How the task is declared to be judged: apart, wherever that is possible.

        `Harness.judging` starts from here; what was asked for a run may make it another.
        """
        if self.compared_by_runner:
            return Judging.APART
        imports_answer = self.style is Style.PYTEST  # into the process that runs the file
        return Judging.TOGETHER if imports_answer or self.together_because else Judging.APART

    @property
    def package(self) -> str:
        """Of the Java class; empty for the default package."""
        return self.class_name.rpartition(".")[0]

    @property
    def simple_class_name(self) -> str:
        """Of the Java class, without its package."""
        return self.class_name.rpartition(".")[2]

    @property
    def main_file(self) -> str:
        """The solution file that has the class, module or function which the tests name."""
        named = (self.simple_class_name, self.extra.get("module", ""))
        entry = re.compile(rf"^(?:async )?(?:def|class) {re.escape(self.entry or ' ')}\b", re.M)
        by_name = (path for path in self.solution if PurePosixPath(path).stem in named)
        by_entry = (path for path, stub in self.solution.items() if entry.search(stub))
        return next(by_name, None) or next(by_entry, None) or next(iter(self.solution), "")

    def support_named_in(self, code: str) -> dict[str, str]:
        """The support that code names, at any remove; sources of tests are never given away."""
        found: dict[str, str] = {}
        waiting = [code]
        while waiting:
            words = set(re.findall(r"\w+", waiting.pop()))
            for path, source in self.support.items():
                name = PurePosixPath(path).stem
                if name in words and path not in found and "org.junit" not in source:
                    found[path] = source
                    waiting.append(source)
        return found

    @property
    def domain(self) -> str:
        """Open or closed, as tagged by the suite; empty where it says neither."""
        return next((tag for tag in self.tags if tag in ("open", "closed")), "")

    @property
    def sets(self) -> dict[str, tuple[Test, ...]]:
        """The assertion sets of a one-to-many task, whose tests are named SET/test_0."""
        grouped: dict[str, list[Test]] = {}
        for test in self.tests if self.style is Style.SETS else ():
            grouped.setdefault(test.name.rpartition("/")[0], []).append(test)
        return {name: tuple(tests) for name, tests in grouped.items()}


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    version: str
    checksum: str
    tasks: tuple[Task, ...]
    description: str = ""
    source: str = ""  # where it came from, with its licence
    libraries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # environment → pins
    jars: Mapping[str, str] = field(default_factory=dict)  # file name → base64; tasks say which
    licence: str = ""
    canary: str = ""  # text by which its publisher finds it in training data


@dataclass(frozen=True, slots=True, order=True)
class CandidateKey:
    suite: str
    task: str
    tool: str
    prompt_language: str
    sample: int


class AnswerForm(StrEnum):
    """How a file's answers are to be read, as its format says."""

    ANSWER = "answer"  # raw text: anything from a body to a chat
    COMPLETION = "completion"  # continues the task's context
    PROGRAM = "program"  # a whole program, context included
    FILES = "files"  # several solution files, kept as the JSON object {path: text}
    SOURCE = "source"  # the very source that is built: nothing is read, added or left out
    EMPTY = "empty"  # the built-in tool: whatever compiles and does nothing


@dataclass(frozen=True, slots=True)
class Candidate:
    key: CandidateKey
    answer: str
    form: AnswerForm = AnswerForm.ANSWER
    # Where it comes from (model, settings, tokens, cost); no part of what it says.
    origin: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def files(self) -> Mapping[str, str]:
        """Path → text of an answer of several files; empty for an answer that is one text."""
        if self.form is not AnswerForm.FILES:
            return {}
        found: dict[str, str] = json.loads(self.answer)
        return found


@dataclass(frozen=True, slots=True)
class Program:
    """Code made of an answer, and how."""

    source: str  # of several files: the one that the tests call
    first_line: int = 1  # the line of source on which line 1 of the answer's code stands
    code: str = ""  # what was taken from the answer, as the tool wrote it; of files, a listing
    notes: tuple[str, ...] = ()  # "from a fenced block", "added: import java.util.*"
    problem: str = ""  # why no program could be made; then source is empty
    files: Mapping[str, str] = field(default_factory=dict)  # path → source of its other files


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one candidate, as its harness hands it back."""

    xml: str  # JUnit XML, one testcase per expected test; empty where none came
    judged: Judging
    program: Program
    ending: Outcome | None = None  # set where something other than the tests' results decides
    reason: str = ""
    output: str = ""  # what the candidate printed, up to a limit
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    flags: tuple[str, ...] = ()  # "reused": the process had served other candidates
    suspect: bool = False  # another candidate or we may be to blame: to be judged again, alone
    idled: bool = False  # wall time ended it: to be judged once more, alone, before it counts
    measures: Mapping[str, float] = field(default_factory=dict)  # name → value: output_em, f1, …


@dataclass(frozen=True, slots=True)
class TestResult:
    __test__ = False

    name: str
    status: TestStatus
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SetScore:
    passed: int
    total: int


@dataclass(frozen=True, slots=True)
class SolvedBy:
    function: str
    set: str


@dataclass(frozen=True, slots=True)
class Verdict:
    candidate: CandidateKey
    outcome: Outcome
    passed: int
    total: int
    tests: tuple[TestResult, ...]
    judged: Judging
    reason: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    flags: tuple[str, ...] = ()
    sets: Mapping[str, SetScore] = field(default_factory=dict)
    solved_by: SolvedBy | None = None
    program: Program = Program(source="")
    output: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)  # name → value: output_em, f1, …

    @property
    def ratio(self) -> float:
        return self.passed / self.total if self.total else 0.0
