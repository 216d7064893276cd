"""One candidate at a time, judged by a session of a harness; for tests of attacks."""

from itertools import count

from polyassay.harness import HarnessSession, Job
from polyassay.junit.report import verdict_of
from polyassay.model import (
    Candidate,
    CandidateKey,
    Language,
    Limits,
    Program,
    Style,
    Task,
    Test,
    Verdict,
)

_numbers = count()


def python_task(*tests: str, style: Style = Style.FUNCTION, **fields: object) -> Task:
    """A task of its own, because sessions keep what they know of one by its id."""
    made = {"entry": "answer", "limits": Limits(seconds=5, total_seconds=20, memory_mb=256)}
    return Task(
        str(next(_numbers)),
        "s",
        Language.PYTHON,
        style,
        {"en": ""},
        tuple(Test(f"t{number}", test) for number, test in enumerate(tests)),
        **{**made, **fields},  # type: ignore[arg-type]
    )


def judge(
    session: HarnessSession, task: Task, code: str, *, again: bool = False, tool: str = "tool"
) -> Verdict:
    """`again`: as a run does, once more and alone where processes of ours may be to blame."""
    candidate = Candidate(CandidateKey(task.suite, task.id, tool, "en", 0), code)
    job = Job(task, candidate, Program(code))
    (report,) = session.judge([job])
    if again and (report.suspect or report.idled):
        (report,) = session.judge([job], alone=True)
    return verdict_of(task, candidate, report)
