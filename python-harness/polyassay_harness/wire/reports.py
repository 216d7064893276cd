"""The fields that a candidate's process may report; anything else in a forged message is dropped.

The program may have written these words itself: read by supervisors, and by the runner.
"""

from typing import Any, Dict, Mapping

from polyassay_harness.wire.messages import LoadReport, TestResult

RESULT_BYTES = 1 << 20
VALUE_BYTES = 12 << 20  # below what the runner takes for a frame
OUTPUT_BYTES = 64 << 10
MOST_FUNCTIONS = 100  # that a one-to-many task tries
# A process' own word, and what is seen of one that ended without a word.
LOAD_ENDINGS = ("unbuilt", "failed", "out_of_memory", "timed_out", "crashed")
NOT_RUN = "not_run"  # no time was left to load it once more
TEST_STATUSES = ("passed", "failed", "error", "skipped", "out_of_memory")


def load_report(message: Mapping[str, Any], *, again: bool = False) -> LoadReport:
    """How a program loaded, by its own process; `again`: for a test that is not the first."""
    if "ending" in message:
        ending = message["ending"]
        if type(ending) is str and ending in (*LOAD_ENDINGS, *((NOT_RUN,) if again else ())):
            killed = message.get("killed") is True
            return {"ending": ending, "reason": _text(message.get("reason")), "killed": killed}
        return {"ending": "crashed", "reason": "told nonsense while it loaded"}
    names = message.get("functions")
    functions = [name for name in names if type(name) is str] if type(names) is list else []
    if len(functions) > MOST_FUNCTIONS:
        many = f"defines {len(functions)} functions, and at most {MOST_FUNCTIONS} are tried"
        return {"ending": "failed", "reason": many}
    return {"functions": functions, "threads": message.get("threads") is not False}


def test_report(message: Mapping[str, Any]) -> TestResult:
    """A test's result, where tests and program share the process that sends it."""
    status, seconds = message.get("status"), message.get("seconds")
    return {
        "status": status if type(status) is str and status in TEST_STATUSES else "error",
        "type": _text(message.get("type")),
        "message": _text(message.get("message")),
        "seconds": seconds if type(seconds) is float else 0.0,
    }


test_report.__test__ = False  # type: ignore[attr-defined]  # not one of pytest's


def cell_report(message: Mapping[str, Any]) -> Dict[str, Any]:
    """The outputs of a notebook's cell, and the exception that it raised."""
    items = message.get("shown")
    found: Dict[str, Any] = {
        "shown": [
            {"kind": _text(item.get("kind")), "text": _text(item.get("text")), "at": item["at"]}
            for item in (items if type(items) is list else ())
            if type(item) is dict and type(item.get("at")) is int
        ]
    }
    if "error" in message:
        found["error"] = _text(message["error"]) or "an error without a name"
        found["message"] = _text(message.get("message"))
        found["memory"] = message.get("memory") is True
    return found


def _text(value: Any) -> str:
    """Whatever else was sent may be nested too deeply even to be written out."""
    return value if type(value) is str else ""


def output_text(printed: bytes) -> str:
    return printed[:OUTPUT_BYTES].decode("utf-8", "replace")
