"""What is wrong with a run that somebody sent, and what a person should know about it.

Nothing in the file is believed: its suites are held against those that are here, and its verdicts
against those that the same answers get here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from polyassay import rules
from polyassay.model import Candidate, CandidateKey, Outcome, Suite, Verdict
from polyassay.store import Run, Store
from polyassay.wording import counted, some

_SHOWN = 5
_COPIED, _FEWEST = 0.9, 4  # simple tasks have answers in common; nearly all is no accident
_ALIKE = 0.5  # from this share of equal answers on, a person should look


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    text: str
    refuses: bool = False  # whether the run must not be ranked because of it


def suite_findings(sent: Mapping[str, Suite], here: Mapping[str, Suite]) -> Iterator[Finding]:
    """`here` has the suites of the same names as far as they are here."""
    for name, suite in sent.items():
        own = here.get(name)
        if own is None:
            yield Finding("suites", f"{name} is not here; add it, then check again.", True)
        elif own.checksum != suite.checksum:
            versions = f"version {suite.version} ({suite.checksum[:8]})"
            ours = f"version {own.version} ({own.checksum[:8]})"
            yield Finding("suites", f"{name} is {versions}, and here is {ours}.", True)
        elif _asked(own) != _asked(suite):
            yield Finding(
                "suites", f"{name} has the checksum of ours, but other tasks or tests.", True
            )
        else:
            licence = own.licence or "licence unknown"
            yield Finding("suites", f"{name} {own.version} is the one that is here ({licence}).")


def _asked(suite: Suite) -> list[tuple[object, ...]]:
    return [(task.id, task.prompts, task.tests, task.test_source) for task in suite.tasks]


def condition_findings(run: Run, judged: int, candidates: int) -> Iterator[Finding]:
    """Whether it was judged whole, and in the way in which a board's runs are."""
    version = rules.rules_of(run.provenance)
    if version != rules.RULES:
        told = f"It was judged under {rules.told(version)}, and here are {rules.told(rules.RULES)}."
        yield Finding("conditions", told, True)
    if judged < candidates:
        told = f"{judged} of {counted(candidates, 'candidate')} have a verdict: it is not complete."
        yield Finding("completeness", told, True)
    if run.provenance.get("sandbox") == "none":
        yield Finding("conditions", "It was judged without a sandbox.")
    options = run.provenance.get("options")
    for name, value in options.items() if isinstance(options, dict) else ():
        if name in ("limit", "tasks", "timeout", "eval_tests", "hold_out") and value:
            shown = counted(len(value), "task") if isinstance(value, list) else value
            told = f"Started with --{name.replace('_', '-')} ({shown}): ranked on a board apart."
            yield Finding("conditions", told)


def completeness_findings(
    candidates: Iterable[Candidate], suites: Mapping[str, Suite]
) -> Iterator[Finding]:
    """Which tasks a tool has not answered, and whether tools have as many samples everywhere."""
    samples: Counter[tuple[str, str, str, str]] = Counter()
    for candidate in candidates:
        key = candidate.key
        samples[key.tool, key.suite, key.task, key.prompt_language] += 1
    tools = list(dict.fromkeys(tool for tool, *_ in samples))
    for tool in tools:
        for name, suite in suites.items():
            answered = {task for t, s, task, _ in samples if (t, s) == (tool, name)}
            missing = [task.id for task in suite.tasks if task.id not in answered]
            if answered and missing:
                many = counted(len(missing), "task")
                told = f"{tool} has no answer to {many} of {name} ({some(missing, _SHOWN)})"
                yield Finding("completeness", f"{told}: they count as failed.")
        counts = {count for (t, *_), count in samples.items() if t == tool}
        if len(counts) > 1:
            told = f"{tool} has {min(counts)} to {max(counts)} samples a task."
            yield Finding("completeness", told)


def likeness_findings(
    candidates: Sequence[Candidate], suites: Mapping[str, Suite], own: Store
) -> Iterator[Finding]:
    """Answers that equal the references, another tool's, or those of a tool that is here."""
    references = {
        (name, task.id): " ".join(task.reference.split())
        for name, suite in suites.items()
        for task in suite.tasks
        if task.reference.strip()
    }
    texts: dict[tuple[str, str, str], dict[str, str]] = {}
    equal: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for candidate in candidates:
        key, text = candidate.key, " ".join(candidate.answer.split())
        given[key.tool] += 1
        if not text:
            continue  # no answer is like any other
        equal[key.tool] += text == references.get((key.suite, key.task))
        texts.setdefault((key.suite, key.task, key.prompt_language), {})[text] = key.tool
    for tool, count in equal.items():
        if count >= _ALIKE * given[tool]:
            told = f"{count} of {given[tool]} answers of {tool} are the suite's own references."
            copied = count >= _FEWEST and count >= _COPIED * given[tool]
            yield Finding("duplicates", told, copied)
    yield from _same_as_here(texts, given, own)


def _same_as_here(
    texts: Mapping[tuple[str, str, str], Mapping[str, str]], given: Mapping[str, int], own: Store
) -> Iterator[Finding]:
    asked = {suite for suite, _, _ in texts}
    for run in own.runs():
        if not asked & run.provenance["suites"].keys():
            continue
        alike: Counter[tuple[str, str]] = Counter()
        for candidate in own.candidates(run.id):
            key, text = candidate.key, " ".join(candidate.answer.split())
            same = texts.get((key.suite, key.task, key.prompt_language), {}).get(text)
            if same is not None:
                alike[same, key.tool] += 1
        for (tool, known), count in alike.items():
            if count >= _ALIKE * given[tool]:
                told = f"{count} answers of {tool} are those of {known} in run {run.id}."
                yield Finding("duplicates", told)


def provenance_findings(candidates: Iterable[Candidate]) -> Iterator[Finding]:
    """Whether answers say which model wrote them, and whether that is one a tool."""
    known: Counter[str] = Counter()
    given: Counter[str] = Counter()
    models: dict[str, set[str]] = {}
    for candidate in candidates:
        tool, origin = candidate.key.tool, candidate.origin or {}
        given[tool] += 1
        known[tool] += bool(origin)
        if model := _model(origin):
            models.setdefault(tool, set()).add(model)
    for tool, count in given.items():
        if not known[tool]:
            yield Finding("provenance", f"No answer of {tool} says where it comes from.")
        elif known[tool] < count:
            told = f"{known[tool]} of {count} answers of {tool} say where they come from."
            yield Finding("provenance", told)
        if len(found := models.get(tool, set())) > 1:
            yield Finding("provenance", f"{tool} is several models: {some(sorted(found))}.")


def _model(origin: Mapping[str, object]) -> str:
    """The model that answered, else the one that was asked."""
    told = origin.get("model")
    if isinstance(told, Mapping):
        told = told.get("answered") or told.get("asked")
    return told if isinstance(told, str) else ""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came out when answers were judged again here."""

    judged: int
    same: int
    not_judged: int  # through our own fault
    findings: tuple[Finding, ...]


def compare_verdicts(sent: Iterable[Verdict], here: Iterable[Verdict]) -> Replayed:
    """Every verdict that was sent against the one that the same answer gets here."""
    claimed: dict[CandidateKey, Verdict] = {verdict.candidate: verdict for verdict in sent}
    same = lost = judged = 0
    other: list[str] = []
    for verdict in here:
        judged += 1
        if verdict.outcome is Outcome.HARNESS_ERROR:
            lost += 1
            continue
        before = claimed.get(verdict.candidate)
        if before is not None and _result(before) == _result(verdict):
            same += 1
        else:
            other.append(_difference(before, verdict))
    findings = []
    if other:
        many = counted(len(other), "verdict")
        told = f"{many} of {judged} came out otherwise here: {'; '.join(other[:_SHOWN])}"
        findings.append(Finding("verdicts", told + ("; …" if other[_SHOWN:] else "."), True))
    if lost:
        findings.append(Finding("verdicts", f"{counted(lost, 'answer')} could not be judged here."))
    if same:
        told = f"{same} of {counted(judged, 'verdict')} came out the same here."
        findings.append(Finding("verdicts", told))
    return Replayed(judged, same, lost, tuple(findings))


def _result(verdict: Verdict) -> tuple[object, ...]:
    tests = {(test.name, test.status) for test in verdict.tests}
    return verdict.outcome, verdict.passed, verdict.total, frozenset(tests)


def _difference(before: Verdict | None, now: Verdict) -> str:
    key = now.candidate
    said = f"{before.outcome} {before.passed}/{before.total}" if before else "no verdict"
    return f"{key.task} of {key.tool} was {said} and is {now.outcome} {now.passed}/{now.total}"
