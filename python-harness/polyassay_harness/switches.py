"""Turns performance tricks off by name, so that their gain can be measured.

    POLYASSAY_WITHOUT=growth,forks polyassay run …

`tools/bench-python --without TRICK` runs both ways in turns; for Java, `tools/bench-java` does. The
runner hands the variable on to the interpreters in its sandboxes.
"""

import os

VARIABLE = "POLYASSAY_WITHOUT"
JAVA_TRICKS = ("archive", "compile_once", "footprint", "kept_plans", "plain_tests")
TRICKS = ("compiled_tests", "fork_per_test", "forks", "growth", "preload", "shared_slow_imports")
_off = frozenset(os.environ.get(VARIABLE, "").split(","))


def on(trick: str) -> bool:
    """Whether this process uses the trick."""
    return trick not in _off
