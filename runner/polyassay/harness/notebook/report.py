"""What became of a cell → JUnit XML with one case, `output`, and the measures beside it."""

from collections.abc import Iterator, Mapping
from typing import Any

from polyassay.comparison import RULES, CellOutput
from polyassay.comparison.cell import MISSING, OUTPUT, Cell, cell_of
from polyassay.environments.interpreters import Interpreter
from polyassay.harness import Job
from polyassay.harness.python.report import to_xml
from polyassay.model import Judging, Outcome, Report, Task
from polyassay.sandbox import Ended

CONTEXT_SECONDS = 600.0  # own time of a context, which is the suite's and not the tool's
_SHOWN = 160  # characters of an output in a message
_OUTPUT = 20_000  # characters of an output that a report keeps

Cells = Mapping[str, Any]


def lacking(task: Task, interpreter: Interpreter, *tools: str) -> str:
    """What any answer to the task needs and this machine lacks; or nothing."""
    if MISSING in task.extra:
        return task.extra[MISSING]
    missing = interpreter.lacks((*tools, *task.libraries))
    return f"the library {missing} is not installed" if missing else ""


def not_runnable(job: Job, judged: Judging, why: str) -> Report:
    return Report("", judged, job.program, ending=Outcome.NOT_RUNNABLE, reason=why)


def report_of(job: Job, judged: Judging, rule: str, reply: Cells | Ended) -> Report:
    """The verdict's material; what the candidate showed is compared here, out of its reach."""
    if isinstance(reply, Ended):
        why, idled = f"the sandbox ended: it {reply}", reply.idled
        reply = {"cell": {"status": _status(reply), "message": why, "idled": idled}}
    found = reply.get("cell") or {"status": reply["ending"], "message": reply["reason"]}
    try:
        result, measures, shown = _judge(cell_of(job.task), rule, found)
    except Exception as error:  # the candidate's text brought it about, so the candidate fails
        said = f"what the cell showed cannot be compared: {type(error).__name__}: {error}"
        result, measures, shown = (
            {"status": "failed", "message": said},
            _measures(0, 0, ran=True),
            "",
        )
    return Report(
        xml=to_xml([{"name": OUTPUT.name, **result}]),
        judged=judged,
        program=job.program,
        output=(shown + _warnings(reply))[:_OUTPUT],
        seconds=reply.get("seconds", 0.0),
        cpu_seconds=reply.get("cpu_seconds", 0.0),
        measures=measures,
        idled=bool(found.get("idled")),
    )


def _status(ended: Ended) -> str:
    if ended.timed_out:
        return Outcome.TIMED_OUT
    return Outcome.OUT_OF_MEMORY if ended.out_of_memory else Outcome.CRASHED


def _warnings(reply: Cells) -> str:
    errors = str(reply.get("output", ""))
    return f"\n--- standard error ---\n{errors}" if errors.strip() else ""


def _judge(cell: Cell, rule: str, found: Cells) -> tuple[Cells, dict[str, float], str]:
    output = output_of(found)
    if found["status"] != "ended":  # timed out, crashed
        return found, _measures(0.0, 0.0, ran=False), output.shown
    if found.get("memory"):
        result = {"status": "out_of_memory", "message": found.get("message") or "out of memory"}
        return result, _measures(0.0, 0.0, ran=False), output.shown
    match = RULES[rule](cell.answer_type, cell.accepted, output)
    measures = _measures(float(match.equal), match.f1, ran=not output.error)
    if match.equal:
        return {"status": "passed"}, measures, output.shown
    if output.error:
        said = f"{output.error}: {found.get('message', '')}".strip(": ")
        result = {"status": "error", "type": output.error, "message": f"{match.failure}: {said}"}
        return result, measures, output.shown
    expected = next((text for text in cell.accepted if text.strip()), "")
    said = f"{match.failure}: expected {_short(expected)} but was {_short(output.shown)}"
    return {"status": "failed", "message": said}, measures, output.shown


def _measures(equal: float, f1: float, *, ran: bool) -> dict[str, float]:
    return {"output_em": equal, "f1": f1, "ran": float(ran)}


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def output_of(found: Cells) -> CellOutput:
    """What was printed, with results and displays where they appeared in it."""
    text = str(found.get("printed", ""))
    printed, shown = text.encode("utf-8", "replace"), list(_items(found))
    parts, done = [], 0
    for _, item, place in shown:
        place = min(max(place, done), len(printed))
        parts += [printed[done:place].decode("utf-8", "ignore"), _line(item)]
        done = place
    parts.append(printed[done:].decode("utf-8", "ignore"))
    results = [item for kind, item, _ in shown if kind == "result"]
    error = str(found["error"]) if "error" in found else ""
    return CellOutput("".join(parts), text, results[-1] if results else "", error)


def _items(found: Cells) -> Iterator[tuple[str, str, int]]:
    """Kind, text and place of each result and display; a candidate can have sent anything."""
    items = found.get("shown")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("at"), int):
            yield str(item.get("kind")), str(item.get("text")), item["at"] - found.get("start", 0)


def _line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
