"""What is wrong with a submitted run, and what a person should know about it.

Nothing in the file is believed: its suites are held against those that are here, and its verdicts
against those that the same answers get here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from polyassay import rules
from polyassay.measures.comparable import conditions
from polyassay.model import Candidate, CandidateKey, Judging, Outcome, Suite, Verdict
from polyassay.store import Run
from polyassay.wording import counted, some

_SHOWN = 5
_NEARLY_ALL, _MANY = 0.95, 10  # of so many answers or more, that this share passes is rare


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    text: str
    refuses: bool = False  # whether the run must not be ranked because of it
    look: bool = False  # whether a person has to look at it before the run is ranked

    @property
    def sign(self) -> str:
        return "✗" if self.refuses else "!" if self.look else "·"


def suite_findings(
    sent: Mapping[str, Suite], here: Mapping[str, Suite], problems: Mapping[str, str]
) -> Iterator[Finding]:
    """`here` has the suites of the same names as far as they are here.

    `problems` has, by name, why a suite is not what its own checksum stands for.
    """
    for name, suite in sent.items():
        own = here.get(name)
        if problem := problems.get(name):
            yield Finding("suites", f"{name} is not the suite that it says it is: {problem}.", True)
        elif own is None:
            told = f"{name} is not here; add it, then check again (suites are added per folder)."
            yield Finding("suites", told, True)
        elif own.checksum != suite.checksum:
            versions = f"version {suite.version} ({suite.checksum[:8]})"
            ours = f"version {own.version} ({own.checksum[:8]})"
            yield Finding("suites", f"{name} is {versions}, and here is {ours}.", True)
        else:
            licence = own.licence or "licence unknown"
            yield Finding("suites", f"{name} {own.version} is the one that is here ({licence}).")


def condition_findings(run: Run, claimed: Counter[Outcome], candidates: int) -> Iterator[Finding]:
    """Whether it was judged whole, and in the way in which a board's runs are."""
    judged = claimed.total()
    version = rules.rules_of(run.provenance)
    if version != rules.RULES:
        told = f"It was judged under {rules.told(version)}, and here are {rules.told(rules.RULES)}."
        yield Finding("conditions", told, True)
    if judged < candidates:
        told = f"{judged} of {counted(candidates, 'candidate')} have a verdict: it is not complete."
        yield Finding("completeness", told, True)
    if lost := sum(count for outcome, count in claimed.items() if not outcome.counts):
        told = f"{lost} of {counted(judged, 'verdict')} say that the tool is not to blame"
        outcomes = ", ".join(sorted(outcome for outcome in claimed if not outcome.counts))
        yield Finding("verdicts", f"{told} ({outcomes}), so they enter no figure.", look=True)
    if run.provenance.get("sandbox") == "none":
        yield Finding("conditions", "It was judged without a sandbox.")
    options = run.provenance.get("options")
    yield from flag_findings(options if isinstance(options, dict) else {})


def flag_findings(options: Mapping[str, object]) -> Iterator[Finding]:
    """Flags by which boards are told apart."""
    for name in ("limit", "tasks", "timeout", "eval_tests", "hold_out"):
        if value := options.get(name):
            shown = counted(len(value), "task") if isinstance(value, list | tuple) else value
            flag = {"tasks": "task"}.get(name, name.replace("_", "-"))
            told = f"Judged with --{flag} ({shown}): ranked on a board apart."
            yield Finding("conditions", told)
    if options.get("judge") == "together":
        yield Finding("conditions", "Judged with --judge together: ranked on a board apart.")


_ELSEWHERE = ("environment", "interpreter", "engine", "comparison", "totals")


def other_board_findings(
    sent: Run, suites: Mapping[str, Suite], runs: Iterable[Run]
) -> Iterator[Finding]:
    """What of the machine that judged it keeps it from the boards that are here."""
    judged_here = [run for run in runs if not run.imported]
    for name in suites:
        same = [run for run in judged_here if name in run.provenance["suites"]]
        theirs = conditions(sent, name)
        ours = [conditions(run, name) for run in same]
        if not ours or any(all(own[of] == theirs[of] for of in _ELSEWHERE) for own in ours):
            continue
        other = "; ".join(
            f"it has {theirs[of]}, and run {same[0].id} here {ours[0][of]}"
            for of in _ELSEWHERE
            if theirs[of] != ours[0][of]
        )
        told = f"On {name} {other}: ranked on a board apart until it is judged here."
        yield Finding("conditions", told)


def completeness_findings(
    candidates: Iterable[Candidate], suites: Mapping[str, Suite]
) -> Iterator[Finding]:
    """Which tasks a tool has not answered, and whether tools have as many samples everywhere.

    `suites` have the tasks that count. Where samples differ, the best ones may have been chosen.
    """
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
            chosen = {lang for t, s, _, lang in samples if (t, s) == (tool, name)}
            if told := _languages_told(chosen, suite):
                yield Finding("prompts", f"{tool} on {name}: {told}")
            counts = {count for (t, s, *_), count in samples.items() if (t, s) == (tool, name)}
            if len(counts) > 1:
                told = f"{tool} has {min(counts)} to {max(counts)} samples a task of {name}"
                yield Finding("samples", f"{told}: it needs as many of every task.", True)


def _languages_told(chosen: Set[str], suite: Suite) -> str:
    """Where the suite is asked in more prompt languages than there are answers for."""
    asked = {language for task in suite.tasks for language in task.prompts}
    if not chosen or not asked - chosen:
        return ""
    only, every = ", ".join(sorted(chosen)), ", ".join(sorted(asked))
    meets = f"a board apart; ranked with the others by --prompt-language {sorted(chosen)[0]}."
    return f"only {only}; the board asks {every}: {meets}"


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
    same: int  # as the file says
    not_judged: int  # through our own fault
    findings: tuple[Finding, ...]


def compare_verdicts(sent: Iterable[Verdict] | None, here: Sequence[Verdict]) -> Replayed:
    """How answers did here, and every verdict that was sent against the one of the same answer."""
    lost = sum(verdict.outcome is Outcome.HARNESS_ERROR for verdict in here)
    judged, same = len(here), 0
    other: list[str] = []
    if sent is not None:
        claimed: dict[CandidateKey, Verdict] = {verdict.candidate: verdict for verdict in sent}
        for verdict in here:
            if verdict.outcome is Outcome.HARNESS_ERROR:
                continue
            before = claimed.get(verdict.candidate)
            if before is not None and _result(before) == _result(verdict):
                same += 1
            else:
                other.append(_difference(before, verdict))
    findings = list(result_findings(here))
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


def result_findings(verdicts: Iterable[Verdict]) -> Iterator[Finding]:
    """How the answers did here, and how much of that an answer could have forged."""
    outcomes: dict[str, Counter[Outcome]] = {}
    together: Counter[str] = Counter()
    for verdict in verdicts:
        together[verdict.candidate.tool] += verdict.judged is Judging.TOGETHER
        outcomes.setdefault(verdict.candidate.tool, Counter())[verdict.outcome] += 1
    for tool, found in outcomes.items():
        others = [f"{found[one]} {one}" for one in Outcome if found[one] and one != Outcome.PASSED]
        told = f"{found[Outcome.PASSED]} of {counted(found.total(), 'answer')} of {tool} passed"
        rest = f" ({', '.join(others)})" if others else ""
        if found.total() >= _MANY and found[Outcome.PASSED] >= _NEARLY_ALL * found.total():
            asks = "Did it see the references or the tests?"
            yield Finding("result", f"{told}{rest}, which is nearly everything. {asks}", look=True)
        else:
            yield Finding("result", f"{told}{rest}.")
        if count := together[tool]:
            told = f"{count} of {counted(found.total(), 'answer')} of {tool} were judged together"
            yield Finding("judging", f"{told}, so that they could have forged their verdicts.")


def _result(verdict: Verdict) -> tuple[object, ...]:
    tests = {(test.name, test.status) for test in verdict.tests}
    return verdict.outcome, verdict.passed, verdict.total, frozenset(tests)


def _difference(before: Verdict | None, now: Verdict) -> str:
    key = now.candidate
    said = f"{before.outcome} {before.passed}/{before.total}" if before else "no verdict"
    which = f"{key.prompt_language}, " if key.prompt_language else ""
    of = f"{key.task} ({which}sample {key.sample}) of {key.tool}"
    return f"{of} was {said} and is {now.outcome} {now.passed}/{now.total}"
