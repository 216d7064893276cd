"""What a test says that failed is a reason, also where its author gave none."""

from typing import cast

import pytest

from polyassay_harness.testing.runner import TestRunner
from polyassay_harness.wire import messages
from polyassay_harness.wire.messages import Work


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raised = False\nassert raised, ''", "raised does not hold (at line 2 of the test)"),
        ("raised = False\nassert raised, '  '", "raised does not hold (at line 2 of the test)"),
        ("assert f(1) == 3, ''", "expected 3 but was 2"),
        ("if f(1) == 2:\n    raise AssertionError", "raise AssertionError was reached (at line 2"),
        ("assert False, f'ValueError expected for {f(1)}'", "ValueError expected for 2"),
    ],
)
def test_it_is_never_empty(code: str, reason: str) -> None:
    tests: list[messages.Test] = [{"name": "test_0", "code": code, "stdin": ""}]
    work = {"style": "function", "entry": "f", "setup": "", "first_line": 1, "tests": tests}
    runner = TestRunner(
        cast(Work, work | {"build_on_each_other": False}), lambda: None, careful=False
    )
    runner.prepare({"f": lambda x: x + 1})
    told = runner.run(tests[0])
    assert told["status"] == "failed"
    assert told["message"].startswith(reason)
