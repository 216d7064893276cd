"""Submitted answers that are copies of another tool's, and tool names that are taken."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.submitting.bare_code import bare_code
from polyassay.measures.submitting.findings import Finding
from polyassay.measures.units import TaskKey
from polyassay.model import CandidateKey, Program, Suite, Task
from polyassay.store import Run, Store
from polyassay.wording import counted

_COPIED, _FEWEST = 0.9, 3  # simple tasks have answers in common; nearly all is no accident
_FEWEST_OF_SOME = 10  # where only some of what was sent can be compared
_ALIKE = 0.5  # from this share of equal answers on, a person should look
_BUILT_IN = (REFERENCE, EMPTY)

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


def _given(programs: Mapping[CandidateKey, Program], tasks: Tasks) -> _Given:
    given = _Given()
    for key, program in programs.items():
        unit, text = _unit(key), _text(program.code, tasks.get((key.suite, key.task)))
        given.answers[key.tool] += 1
        given.samples.setdefault(unit, Counter())[key.tool] += 1
        if text:  # no answer is like any other
            given.texts.setdefault(unit, {}).setdefault(text, Counter())[key.tool] += 1
    return given


def _unit(key: CandidateKey) -> Unit:
    return key.suite, key.task, key.prompt_language


def _text(code: str, task: Task | None) -> str:
    return bare_code(code, task.language) if task else " ".join(code.split())


def likeness_findings(
    programs: Mapping[CandidateKey, Program], suites: Mapping[str, Suite], own: Store
) -> Iterator[Finding]:
    """Code that equals the references or that of a tool that is here, and a tool's name.

    `programs` are what is taken out of the answers that were sent, all of them.
    """
    tasks = {(name, task.id): task for name, suite in suites.items() for task in suite.tasks}
    given = _given(programs, tasks)
    yield from _references(programs, tasks, given)
    known = _same_as_here(given, tasks, own)
    for (tool, name), same in known.items():
        yield from _copies(given, tool, name, same)
    resent = {tool for tool, name in known if tool == name}
    yield from name_findings(list(given.answers), own.runs(), resent)


def _references(
    programs: Mapping[CandidateKey, Program], tasks: Tasks, given: _Given
) -> Iterator[Finding]:
    """A reference is a whole program, and what an answer holds may be only a part of one."""
    known = {at: _text(task.reference, task) for at, task in tasks.items()}
    compared: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for key, program in programs.items():
        if reference := known.get((key.suite, key.task)):
            task = tasks[key.suite, key.task]
            compared[key.tool] += 1
            equal[key.tool] += any(
                _text(code, task) == reference for code in (program.code, program.source)
            )
    for tool, count in equal.items():
        if count >= _ALIKE * compared[tool]:
            told = f"{count} of {compared[tool]} answers of {tool} are the suite's own"
            copied = given.copied(tool, count, compared[tool])
            yield Finding("duplicates", f"{told} references.", copied, not copied)


@dataclass(frozen=True, slots=True)
class _Same:
    count: int  # of the answers that were sent
    of: int  # of them, those to what the run asked its tool, too
    run: str
    more: tuple[int, int]  # most samples of a task: that were sent, and that the run has


def _same_as_here(given: _Given, tasks: Tasks, own: Store) -> dict[tuple[str, str], _Same]:
    """Tool that was sent, tool that is here → the run that most of its answers are in."""
    asked = {suite for suite, _, _ in given.texts}
    found: dict[tuple[str, str], _Same] = {}
    for run in own.runs():
        if not asked & run.provenance["suites"].keys():
            continue
        for pair, same in _equal_answers(given, tasks, own, run):
            if same.count >= _ALIKE * same.of and (
                pair not in found or same.count > found[pair].count
            ):
                found[pair] = same
    return found


def _equal_answers(
    given: _Given, tasks: Tasks, own: Store, run: Run
) -> Iterator[tuple[tuple[str, str], _Same]]:
    texts: set[tuple[Unit, str, str]] = set()
    samples: Counter[tuple[Unit, str]] = Counter()
    for verdict in own.verdicts(run.id):
        key = verdict.candidate
        unit, name = _unit(key), key.tool
        if name in _BUILT_IN or unit not in given.texts:
            continue
        samples[unit, name] += 1
        code = verdict.program.code if verdict.program else ""
        text = _text(code, tasks.get((key.suite, key.task)))
        if text in given.texts[unit]:
            texts.add((unit, text, name))
    equal: Counter[tuple[str, str]] = Counter()
    for unit, text, name in texts:  # each once, however many samples of the run have it
        for tool, count in given.texts[unit][text].items():
            equal[tool, name] += count
    compared: Counter[tuple[str, str]] = Counter()
    more: dict[tuple[str, str], tuple[int, int]] = {}
    for (unit, name), here in samples.items():
        for tool, sent in given.samples[unit].items():
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


def name_findings(tools: Sequence[str], runs: Sequence[Run], resent: set[str]) -> Iterator[Finding]:
    """Names that a board cannot tell apart; `resent` have the answers of their name here."""
    here: dict[str, Run] = {}  # the newest run of each
    for run in runs:
        for tool in run.provenance["candidates"]["tools"]:
            here.setdefault(tool, run)
    known = [name for name in [*here, *tools] if name not in _BUILT_IN]
    for tool in tools:
        if odd := sorted({f"U+{ord(sign):04X}" for sign in tool if _hidden(sign)}):
            told = f"{tool!r} has characters that do not show: {', '.join(odd)}."
            yield Finding("name", told, True)
        if (built_in := _looks(tool)) in map(_looks, _BUILT_IN):
            told = f"{tool} is, or looks like, a built-in tool, and these are never ranked."
            yield Finding("name", told, True)
            continue
        alike = [name for name in known if name != tool and _looks(name) == built_in]
        for name in dict.fromkeys(alike):
            where = f" of run {here[name].id}" if name in here else " of the same file"
            told = f"{tool} looks like {name}{where} and is another name: it needs one of its own."
            yield Finding("name", told, True)
        if tool in here and tool not in resent:
            run = here[tool]
            told = f"{tool} is the name of a tool in run {run.id}, which gave other answers."
            yield Finding("name", f"{told} Is it the same tool?", look=True)


def _hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


# Cyrillic and Greek letters that look like Latin ones, and digits that look like letters.
_LATIN = str.maketrans(
    "\u0430\u0432\u0435\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443"
    "\u0445\u04cf\u0501\u051b\u051d\u04bb\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf"
    "\u03c1\u03c4\u03c5\u03c7\u03b3\u0131" + "01i|",
    "abesijkmhopcty" + "xldqwhabenikvo" + "ptuxyl" + "olll",
)


def _looks(name: str) -> str:
    """The same for names that a reader takes for each other."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    shown = "".join(c for c in plain if not _hidden(c) and unicodedata.category(c) != "Mn")
    return re.sub(r"[\s_-]+", "-", shown.translate(_LATIN).translate(_LATIN)).strip("-")
