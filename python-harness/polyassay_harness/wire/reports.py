"""What a candidate's process may say of itself, and nothing else that a forged message may hold.

The program may have written these words itself: read by supervisors, and by the runner.
"""

from typing import Any, Mapping

from polyassay_harness.wire.messages import LoadReport, TestResult

RESULT_BYTES = 1 << 20
VALUE_BYTES = 12 << 20  # below what the runner takes for a frame
OUTPUT_BYTES = 64 << 10
MOST_FUNCTIONS = 100  # that a one-to-many task tries
# A process' own word, and what is seen of one that ended without a word.
LOAD_ENDINGS = ("unbuilt", "failed", "out_of_memory", "timed_out", "crashed", "not_run")
TEST_STATUSES = ("passed", "failed", "error", "skipped", "out_of_memory")


def load_report(message: Mapping[str, Any]) -> LoadReport:
    """How a program loaded, by its own process."""
    if "ending" in message:
        ending = message["ending"]
        if type(ending) is str and ending in LOAD_ENDINGS:
            reason, killed = str(message.get("reason", "")), message.get("killed") is True
            return {"ending": ending, "reason": reason, "killed": killed}
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
        "type": str(message.get("type", "")),
        "message": str(message.get("message", "")),
        "seconds": seconds if type(seconds) is float else 0.0,
    }


test_report.__test__ = False  # type: ignore[attr-defined]  # not one of pytest's


def output_text(printed: bytes) -> str:
    return printed[:OUTPUT_BYTES].decode("utf-8", "replace")
