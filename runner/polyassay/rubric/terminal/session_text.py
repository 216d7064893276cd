"""What both screens say about a session."""

from polyassay.rubric.grading import Grading, Progress
from polyassay.rubric.rubrics import Rubric

KEYS = {
    "u": "undo: take the last key press back",
    "b": "back: show the item before (n: the next one)",
    "s": "skip: leave the item for the end",
    "c": "comment on the dimension that has the focus",
    "f": "flag the item for the team, or take the flag away",
    "q": "quit: everything is saved already",
}


def headline(grading: Grading) -> str:
    """item 12 of 161 · you: 2 a minute · about 75 min left."""
    progress = grading.progress()
    where = "done" if grading.finished else f"item {grading.number + 1} of {progress.total}"
    return " · ".join([where, *_pace(progress)])


def _pace(progress: Progress) -> list[str]:
    if progress.per_minute is None or progress.minutes_left is None:
        return [f"{progress.done} done"]
    told = f"{progress.per_minute:.1f}".removesuffix(".0")
    left = max(1, round(progress.minutes_left))
    remaining = [f"about {left} min left"] if progress.done < progress.total else []
    return [f"you: {told} a minute", *remaining]


def closing(grading: Grading) -> str:
    """What is said where nothing is left to grade."""
    progress = grading.progress()
    skipped = f", {progress.skipped} of them skipped" if progress.skipped else ""
    return f"All {progress.total} items are done{skipped}. Thank you!"


def handbook(rubric: Rubric, language: str) -> str:
    """The whole rubric, and what the keys do."""
    lines = [rubric.title[language], "", rubric.rule[language], ""]
    for dimension in rubric.dimensions:
        lines.append(dimension.name[language])
        lines.extend(f"  {point.score}  {point.text[language]}" for point in dimension.points)
        lines.append("")
    lines.extend(f"  {key}  {told}" for key, told in KEYS.items())
    return "\n".join(lines)
