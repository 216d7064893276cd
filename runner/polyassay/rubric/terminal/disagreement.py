"""A disagreement between graders, as text for the one who decides it."""

from collections.abc import Callable, Mapping
from functools import cache

from polyassay.model import CandidateKey, Task
from polyassay.rubric.agreement import Disagreement
from polyassay.rubric.answers import blinded
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score
from polyassay.store.scores import Scores


def disagreement_teller(
    store: Scores,
    rubric: Rubric,
    scores: list[Score],
    tasks_of: Callable[[str], Mapping[str, Task] | None],
) -> Callable[[Disagreement], str]:
    """Tells a disagreement: task, code, wording and who gave what; the tool stays hidden."""
    comments = {(s.key, s.grader, s.dimension): s.comment for s in scores if not s.showing}

    @cache
    def codes(suite: str) -> dict[CandidateKey, str]:
        """What graders were shown of a suite; nothing where the scores were imported."""
        shown = store.shown_code(suite)
        hide = blinded((tasks_of(suite) or {}).values(), shown)
        return {key: hide(key) for key in shown if key.task in (tasks_of(suite) or {})}

    def show(found: Disagreement) -> str:
        key = found.key
        task = (tasks_of(key.suite) or {}).get(key.task)
        dimension = rubric.dimension(found.dimension)
        assert dimension is not None
        lines = [task.prompts.get(key.prompt_language, "") if task else f"task {key.task}"]
        if key in codes(key.suite):
            lines += ["---", codes(key.suite)[key].rstrip(), "---"]
        language = rubric.languages[0]
        lines += [f"  {point.score}  {point.text[language]}" for point in dimension.points]
        for grader, score in found.scores.items():
            comment = comments.get((key, grader, found.dimension), "")
            lines.append(f"{grader} gave {score}" + (f": {comment}" if comment else ""))
        return "\n".join(lines)

    return show
