"""Submitted answers that are copies of another tool's, and tool names that are taken."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.submitting.findings import Finding
from polyassay.model import Candidate, CandidateKey, Suite
from polyassay.store import Run, Store
from polyassay.wording import counted

_COPIED, _FEWEST = 0.9, 3  # simple tasks have answers in common; nearly all is no accident
_ALIKE = 0.5  # from this share of equal answers on, a person should look
_BUILT_IN = (REFERENCE, EMPTY)

Unit = tuple[str, str, str]


@dataclass
class _Given:
    """What each tool of a file answered."""

    answers: Counter[str] = field(default_factory=Counter)
    texts: dict[Unit, dict[str, Counter[str]]] = field(default_factory=dict)  # → text → tools
    samples: Counter[tuple[Unit, str]] = field(default_factory=Counter)

    def copied(self, tool: str, count: int) -> bool:
        return count >= _FEWEST and count >= _COPIED * self.answers[tool]

    def alike(self, tool: str, count: int) -> bool:
        return count >= _ALIKE * self.answers[tool]


def _given(candidates: Sequence[Candidate]) -> _Given:
    given = _Given()
    for candidate in candidates:
        tool, unit, text = candidate.key.tool, _unit(candidate.key), _text(candidate.answer)
        given.answers[tool] += 1
        given.samples[unit, tool] += 1
        if text:  # no answer is like any other
            given.texts.setdefault(unit, {}).setdefault(text, Counter())[tool] += 1
    return given


def _unit(key: CandidateKey) -> Unit:
    return key.suite, key.task, key.prompt_language


def _text(answer: str) -> str:
    return " ".join(answer.split())


def likeness_findings(
    candidates: Sequence[Candidate], suites: Mapping[str, Suite], own: Store
) -> Iterator[Finding]:
    """Answers that equal the references or those of a tool that is here, and its name."""
    given = _given(candidates)
    references = {
        (name, task.id): _text(task.reference)
        for name, suite in suites.items()
        for task in suite.tasks
        if task.reference.strip()
    }
    equal: Counter[str] = Counter()
    for (suite, task, _), texts in given.texts.items():
        equal.update(texts.get(references.get((suite, task), ""), Counter()))
    for tool, count in equal.items():
        if given.alike(tool, count):
            told = f"{count} of {given.answers[tool]} answers of {tool} are the suite's own"
            copied = given.copied(tool, count)
            yield Finding("duplicates", f"{told} references.", copied, not copied)
    known = _same_as_here(given, own)
    for (tool, name), same in known.items():
        yield from _copies(given, tool, name, same)
    resent = {tool for tool, name in known if tool == name}
    yield from name_findings(list(given.answers), own.runs(), resent)


@dataclass(frozen=True, slots=True)
class _Same:
    count: int  # of the answers that were sent
    run: str
    more: tuple[int, int]  # most samples of a task: that were sent, and that the run has


def _same_as_here(given: _Given, own: Store) -> dict[tuple[str, str], _Same]:
    """Tool that was sent, tool that is here → the run that most of its answers are in."""
    asked = {suite for suite, _, _ in given.texts}
    found: dict[tuple[str, str], _Same] = {}
    for run in own.runs():
        if not asked & run.provenance["suites"].keys():
            continue
        for pair, count in _equal_answers(given, own, run):
            if given.alike(pair[0], count.count) and (
                pair not in found or count.count > found[pair].count
            ):
                found[pair] = count
    return found


def _equal_answers(given: _Given, own: Store, run: Run) -> Iterator[tuple[tuple[str, str], _Same]]:
    texts: set[tuple[Unit, str, str]] = set()
    samples: Counter[tuple[Unit, str]] = Counter()
    for candidate in own.candidates(run.id):
        unit, text, name = _unit(candidate.key), _text(candidate.answer), candidate.key.tool
        if name in _BUILT_IN or unit not in given.texts:
            continue
        samples[unit, name] += 1
        if text in given.texts[unit]:
            texts.add((unit, text, name))
    equal: Counter[tuple[str, str]] = Counter()
    more: dict[tuple[str, str], tuple[int, int]] = {}
    for unit, text, name in texts:  # each once, however many samples of the run have it
        for tool, count in given.texts[unit][text].items():
            equal[tool, name] += count
            sent, here = more.get((tool, name), (0, 0))
            of_unit = given.samples[unit, tool], samples[unit, name]
            more[tool, name] = max(sent, of_unit[0]), max(here, of_unit[1])
    for pair, count in equal.items():
        yield pair, _Same(count, run.id, more[pair])


def _copies(given: _Given, tool: str, name: str, same: _Same) -> Iterator[Finding]:
    many = f"{same.count} of {counted(given.answers[tool], 'answer')} of {tool}"
    told = f"{many} are those of {name} in run {same.run}"
    copied = given.copied(tool, same.count)
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
