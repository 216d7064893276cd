"""A small part of tools/simulate-statistics, so that it cannot rot."""

import runpy
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "simulate-statistics"
REPEATS = 120


def test_intervals_hold_and_equal_tools_are_rarely_told_apart() -> None:
    tool = runpy.run_path(str(TOOL), run_name="simulation")
    found = tool["simulate"](tool["EQUAL"][0], 100, REPEATS, seed=1)
    # Four standard errors: 93 to 97 per cent is shown by the whole simulation, not here.
    error = 4 * (0.95 * 0.05 / REPEATS) ** 0.5
    for metric in tool["METRICS"]:
        assert abs(found[f"{metric} interval"] - 0.95) < error
        assert abs(found[f"{metric} difference"] - 0.95) < error
        assert found[f"{metric} told"] < 0.05 + error
