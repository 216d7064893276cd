"""A disagreement between graders, as text for the one who decides it."""

from collections.abc import Callable, Mapping
from functools import cache

from polyassay.model import CandidateKey, Task
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.answers import blinded
from polyassay.rubric.blind import printable
from polyassay.rubric.room.view import declared
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score


def disagreement_teller(
    rubric: Rubric,
    scores: list[Score],
    tasks_of: Callable[[str], Mapping[str, Task] | None],
    codes_of: Callable[[str], Mapping[CandidateKey, str]],
    secret: str,
) -> Callable[[Disagreement], str]:
    """Tells a disagreement: task, code, wording and what was given; no tool and no grader."""
    comments = {(s.key, s.grader, s.dimension): s.comment for s in scores if not s.showing}

    @cache
    def codes(suite: str) -> dict[CandidateKey, str]:
        tasks = tasks_of(suite) or {}
        known = {key: code for key, code in codes_of(suite).items() if key.task in tasks}
        hide = blinded(tasks.values(), known, secret)
        return {key: hide(key) for key in known}

    def show(found: Disagreement) -> str:
        key = found.key
        task = (tasks_of(key.suite) or {}).get(key.task)
        dimension = rubric.dimension(found.dimension)
        assert dimension is not None
        lines = [task.prompts.get(key.prompt_language, "") if task else f"task {key.task}"]
        if task and (asked := declared(task)):
            lines.append(printable(asked))
        if key in codes(key.suite):
            code = codes(key.suite)[key].rstrip("\n").split("\n")
            lines += ["---", *(f"{n:4}  {line}" for n, line in enumerate(code, start=1)), "---"]
        else:
            lines.append("(The answer is not in the store: name it with -c.)")
        language = rubric.languages[0]
        lines += [f"  {point.score}  {point.text[language]}" for point in dimension.points]
        for score, comment in sorted(
            (score, comments.get((key, grader, found.dimension), ""))
            for grader, score in found.scores.items()
        ):
            lines.append(f"given: {score}" + (f", because: {comment}" if comment else ""))
        return "\n".join(lines)

    return show
