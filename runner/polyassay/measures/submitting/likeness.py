"""Submitted answers that are copies of the references or of another tool's answers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from polyassay.measures.submitting.bare_code import bare_tokens
from polyassay.measures.submitting.findings import Finding
from polyassay.measures.submitting.names import BUILT_IN, name_findings
from polyassay.measures.submitting.sampling import one_answer_findings
from polyassay.measures.submitting.shapes import ShapeOf
from polyassay.measures.units import TaskKey
from polyassay.model import CandidateKey, Program, Suite, Task
from polyassay.store import Run, Store
from polyassay.wording import counted

_COPIED, _FEWEST = 0.9, 3  # simple tasks have answers in common; nearly all is no accident
_FEWEST_OF_SOME = 10  # where only some of what was sent can be compared
_ALIKE = 0.5  # from this share of equal answers on, a person should look
_LONG = 60  # tokens of a reference that nobody writes again by chance

Unit = tuple[str, str, str]
Tasks = Mapping[TaskKey, Task]


@dataclass
class _Given:
    """What each tool of a file answered."""

    answers: Counter[str] = field(default_factory=Counter)
    texts: dict[Unit, dict[str, Counter[str]]] = field(default_factory=dict)  # → text → tools
    samples: dict[Unit, Counter[str]] = field(default_factory=dict)

    def copied(self, tool: str, count: int, of: int) -> bool:
        """`of`: how many of its answers can be compared; others beside them hide no copy."""
        fewest = _FEWEST if of == self.answers[tool] else _FEWEST_OF_SOME
        return count >= fewest and count >= _COPIED * of


def _given(shapes: Mapping[CandidateKey, str]) -> _Given:
    given = _Given()
    for key, text in shapes.items():
        unit = _unit(key)
        given.answers[key.tool] += 1
        given.samples.setdefault(unit, Counter())[key.tool] += 1
        if text:  # no answer is like any other
            given.texts.setdefault(unit, {}).setdefault(text, Counter())[key.tool] += 1
    return given


def _unit(key: CandidateKey) -> Unit:
    return key.suite, key.task, key.prompt_language


def likeness_findings(
    programs: Mapping[CandidateKey, Program],
    suites: Mapping[str, Suite],
    own: Store,
    shape_of: ShapeOf,
) -> Iterator[Finding]:
    """Code that equals the references or that of a tool that is here, and a tool's name.

    `programs` are what is taken out of the answers that were sent, all of them.
    """
    tasks = {(name, task.id): task for name, suite in suites.items() for task in suite.tasks}
    shapes = {
        key: shape_of(program.code, tasks.get((key.suite, key.task)))
        for key, program in programs.items()
    }
    given = _given(shapes)
    here = _Here(given, tasks, shape_of)
    for run in own.runs():
        here.add(own, run)
    yield from _references(programs, shapes, given, here)
    for (tool, name), same in sorted(here.same.items(), key=lambda of: of[0]):
        yield from _copies(given, tool, name, same)
    yield from one_answer_findings(programs, shapes)
    resent = {tool for tool, name in here.same if tool == name}
    yield from name_findings(list(given.answers), own.runs(), resent)


def _references(
    programs: Mapping[CandidateKey, Program],
    shapes: Mapping[CandidateKey, str],
    given: _Given,
    here: "_Here",
) -> Iterator[Finding]:
    """A reference is a whole program, and what an answer holds may be only a part of one."""
    compared: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    long: Counter[str] = Counter()
    for key, program in programs.items():
        at = key.suite, key.task
        if reference := here.references.get(at):
            compared[key.tool] += 1
            whole = here.shape_of(program.source, here.tasks[at])
            if reference.shape in (shapes[key], whole):
                equal[key.tool] += 1
                long[key.tool] += reference.is_long
    for tool, of in compared.items():
        count = equal[tool]
        told = f"{count} of {counted(of, 'answer')} of {tool} are the suite's references"
        if long[tool]:
            told += f", {long[tool]} of them long"
        copied = given.copied(tool, count, of)
        others = here.like_references(tool)
        look = count >= _ALIKE * of or long[tool] >= _FEWEST
        look = look or (count >= _FEWEST_OF_SOME and others is not None and count > 3 * others * of)
        if others is not None:
            told += f"; other tools here have {others:.0%} at most"
        means = "were the references seen?" if look or copied else "short code is alike by chance."
        yield Finding("references", f"{told}: {means}", copied, look and not copied)


@dataclass(frozen=True, slots=True)
class _Same:
    count: int  # of the answers that were sent
    of: int  # of them, those to what the run asked its tool, too
    run: str
    more: tuple[int, int]  # most samples of a task: that were sent, and that the run has


@dataclass(frozen=True, slots=True)
class _Reference:
    shape: str
    is_long: bool


class _Here:
    """What tools answered here to what was sent, run by run."""

    def __init__(self, given: _Given, tasks: Tasks, shape_of: ShapeOf) -> None:
        self.tasks, self.shape_of, self._given = tasks, shape_of, given
        self.references = {
            at: _Reference(
                shape_of(task.reference, task),
                len(bare_tokens(task.reference, task.language)) >= _LONG,
            )
            for at, task in tasks.items()
            if task.reference
        }
        # Tool that was sent, tool that is here → the run that most of its answers are in.
        self.same: dict[tuple[str, str], _Same] = {}
        self._references_of: dict[str, float] = {}  # the largest share of a run, by tool

    def like_references(self, but: str) -> float | None:
        """The largest share of another tool's answers that are references; None without any."""
        return max((n for tool, n in self._references_of.items() if tool != but), default=None)

    def add(self, own: Store, run: Run) -> None:
        if not {suite for suite, _, _ in self._given.texts} & run.provenance["suites"].keys():
            return
        for pair, same in self._equal_answers(own, run):
            if same.count >= _ALIKE * same.of and (
                pair not in self.same or same.count > self.same[pair].count
            ):
                self.same[pair] = same

    def _equal_answers(self, own: Store, run: Run) -> Iterator[tuple[tuple[str, str], _Same]]:
        texts: set[tuple[Unit, str, str]] = set()
        samples: Counter[tuple[Unit, str]] = Counter()
        like, of = Counter[str](), Counter[str]()
        for verdict in own.verdicts(run.id):
            key = verdict.candidate
            unit, name, at = _unit(key), key.tool, (key.suite, key.task)
            if name in BUILT_IN or unit not in self._given.texts:
                continue
            samples[unit, name] += 1
            code = verdict.program.code if verdict.program else ""
            text = self.shape_of(code, self.tasks.get(at))
            if text in self._given.texts[unit]:
                texts.add((unit, text, name))
            if reference := self.references.get(at):
                of[name] += 1
                like[name] += text == reference.shape
        for name, count in of.items():
            share = max(self._references_of.get(name, 0.0), like[name] / count)
            self._references_of[name] = share
        yield from self._counted(run, texts, samples)

    def _counted(
        self, run: Run, texts: set[tuple[Unit, str, str]], samples: Counter[tuple[Unit, str]]
    ) -> Iterator[tuple[tuple[str, str], _Same]]:
        equal: Counter[tuple[str, str]] = Counter()
        for unit, text, name in texts:  # each once, however many samples of the run have it
            for tool, count in self._given.texts[unit][text].items():
                equal[tool, name] += count
        compared: Counter[tuple[str, str]] = Counter()
        more: dict[tuple[str, str], tuple[int, int]] = {}
        for (unit, name), here in samples.items():
            for tool, sent in self._given.samples[unit].items():
                compared[tool, name] += sent
                most = more.get((tool, name), (0, 0))
                more[tool, name] = max(most[0], sent), max(most[1], here)
        for pair, count in equal.items():
            yield pair, _Same(count, compared[pair], run.id, more[pair])


def _copies(given: _Given, tool: str, name: str, same: _Same) -> Iterator[Finding]:
    many = f"{same.count} of {counted(same.of, 'answer')} of {tool}"
    if same.of < given.answers[tool]:
        many += f" to what {name} was asked, too,"
    told = f"{many} are those of {name} in run {same.run}"
    copied = given.copied(tool, same.count, same.of)
    sent, here = same.more
    if sent < here:
        told += f", which has {counted(here, 'sample')} of a task where this has {sent}"
        yield Finding("duplicates", f"{told}: they may be chosen ones.", copied, not copied)
    elif tool == name:
        yield Finding("duplicates", f"{told}.")
    else:
        yield Finding("duplicates", f"{told}.", copied, not copied)
