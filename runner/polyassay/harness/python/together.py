"""Judges together: sends a candidate and its tests to a zygote, and reads its report."""

import json
import secrets
from collections.abc import Iterator, Sequence
from typing import cast

from polyassay.harness.python.preload import ZygoteSpec
from polyassay.harness.python.report import Reply, ended_reply
from polyassay.harness.python.requests import compiled_tests, judge_request, of_program
from polyassay.harness.python.zygote import Zygote, ZygotePool, parsed, patience
from polyassay.model import Program
from polyassay.sandbox import Ended
from polyassay.sandbox.patience import Patience
from polyassay_harness.process.endings import ended
from polyassay_harness.wire import frames, messages
from polyassay_harness.wire.messages import Judged, TestResult, Work
from polyassay_harness.wire.reports import load_report, output_text, test_report


def judge_together(
    pool: ZygotePool, spec: ZygoteSpec, work: Work, programs: Sequence[Program], *, fresh: bool
) -> list[Reply]:
    """Candidates of one task, one after the other in the same zygote."""
    replies: list[Reply] = []
    while len(replies) < len(programs):
        try:
            with pool.borrow(spec, fresh=fresh) as zygote:
                for reply in ask_all(zygote, work, programs[len(replies) :]):
                    replies.append(reply)
        except Ended as ended:
            replies.append(ended_reply(ended))
    return replies


def ask_all(zygote: Zygote, work: Work, programs: Sequence[Program]) -> Iterator[Reply]:
    """A report for each of the programs; for the first only, where no other can follow it."""
    tests = compiled_tests(work) if len(programs) > 1 else work["tests"]
    for program in programs if zygote.reusable else programs[:1]:
        own = cast(
            Work,
            {
                **of_program(work, program),
                "tests": [{**test, "token": secrets.token_hex(8)} for test in tests],
            },
        )
        judge = judge_request(own, apart=False, nests=zygote.reusable)
        zygote.limit_cpu(work["limits"]["total_seconds"])
        zygote.tell(messages.JUDGE, judge, json.dumps(own).encode())
        ask = _tests_apart if judge["fork_per_test"] else _whole
        yield ask(zygote, own, patience(work["limits"]["total_seconds"]))


def _whole(zygote: Zygote, _: Work, allowed: Patience) -> Reply:
    """A supervisor's own report."""
    name, body = zygote.hear(allowed)
    if name == messages.FAILED:
        return {"failed": parsed(body)["reason"]}
    return parsed(body)


def _tests_apart(zygote: Zygote, work: Work, allowed: Patience) -> Reply:
    """The reports of single tests' processes as one, as a supervisor would send it."""
    results: list[TestResult] = []
    report: Judged = {"results": results}
    while True:
        name, body = zygote.hear(allowed)
        if name == messages.FAILED:
            return {"failed": parsed(body)["reason"]}
        about, payload = parsed(body), zygote.hear_payload(allowed)
        if name == messages.FINISHED:
            report["seconds"], report["cpu_seconds"] = about["seconds"], about["cpu_seconds"]
            report["output"] = output_text(payload)
            return report
        test = work["tests"][len(results)]
        found = _result(test, about, payload, work["limits"]["seconds"])
        report["idled"] = report.get("idled", False) or about["idled"]
        report["suspect"] = report.get("suspect", False) or bool(found.get("killed"))
        if "ending" in found and not results:
            report["ending"], report["reason"] = found["ending"], found["reason"]
        else:
            if "ending" in found:  # though it has loaded before
                found = {"status": found["ending"], "message": found["reason"]}
            results.append(cast(TestResult, {**found, "name": test["name"], "function": ""}))


def _result(test: messages.Test, about: Reply, payload: bytes, seconds: float) -> Reply:
    """How a test ended, or how the program did before that; the payload is its process' words."""
    stopped = ended(about["wait_status"], about["cpu_seconds"], seconds).result()
    stopped = about["stopped"] or stopped
    loaded, result = _words(payload)
    if stopped["status"] == "not_run":
        return stopped
    if loaded is None:
        reason = f"{stopped['message']}, while it loaded"
        killed = stopped.get("killed", False)
        return {"ending": stopped["status"], "reason": reason, "killed": killed}
    report = load_report(loaded)
    if "ending" in report:
        return report
    if result is not None and result.get("token") == test["token"]:
        return test_report(result)
    return stopped


def _words(payload: bytes) -> tuple[Reply | None, Reply | None]:
    """The first two messages; None for what is none."""
    first, second, *_ = (*map(_message, frames.whole_frames(payload)), None, None)
    return first, second


def _message(frame: bytes) -> Reply | None:
    try:
        return frames.parse(frame)
    except frames.Broken:
        return None
