"""How many tasks and samples a difference needs."""

from polyassay.measures.comparing.two import Metric
from polyassay.statistics.power import tasks_needed

SHOWN = (2, 5, 10)  # points


def needed(metric: Metric) -> dict[int, int | None]:
    """Tasks like these that show so many points; from how much tools differ, not by how much."""
    if not metric.measure.scale.is_share:
        return {}
    square, usual = float(metric.found.square), float(metric.found.usual)
    return {points: tasks_needed(points / 100, square, usual) for points in SHOWN}
