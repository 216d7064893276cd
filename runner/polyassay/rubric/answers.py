"""The answers that people grade, and how they are shown: as code, without their tool."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from polyassay.candidates.maker import ProgramMaker
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Suite, Task
from polyassay.rubric.blind import Blinder, mask_of
from polyassay.store.scores import CALIBRATION


def chosen(
    candidates: Sequence[Candidate], samples: int | None, prompt_language: str | None
) -> list[Candidate]:
    found = [
        candidate
        for candidate in candidates
        if (samples is None or candidate.key.sample < samples)
        and prompt_language in (None, candidate.key.prompt_language)
    ]
    if not found:
        raise PolyAssayError(
            "There is no such answer to grade.",
            hint="Leave --prompt-language or --suite out, or name other answers.",
        )
    return found


def codes_of(suite: Suite, candidates: Sequence[Candidate]) -> dict[CandidateKey, str]:
    """The code of each answer as the tool wrote it; the whole answer where none is found."""
    tasks = {task.id: task for task in suite.tasks}
    with ProgramMaker() as maker:
        return {
            candidate.key: _code(maker, tasks[candidate.key.task], candidate)
            for candidate in candidates
        }


def _code(maker: ProgramMaker, task: Task, candidate: Candidate) -> str:
    program = maker.make(task, candidate)
    return candidate.answer if program.problem or not program.code.strip() else program.code


def blinded(
    tasks: Iterable[Task], codes: Mapping[CandidateKey, str], secret: str
) -> Callable[[CandidateKey], str]:
    """Looks an answer's code up, without what gives the tool away; the secret draws the masks."""
    known = {task.id: task for task in tasks}
    words = [
        text
        for task in known.values()
        for text in (
            *(*task.prompts.values(), task.signature, task.class_name, task.context),
            *(*task.solution, *task.solution.values()),
        )
    ]
    answers: dict[str, list[str]] = {}
    for key, code in codes.items():
        if key.tool != CALIBRATION:
            answers.setdefault(key.tool, []).append(code)
    languages = {task.language for task in known.values()}
    blinders = {language: Blinder(language, answers, words) for language in languages}

    def hide(key: CandidateKey) -> str:
        task = known[key.task]
        expected = task.simple_class_name
        mask = mask_of(secret, key)
        return blinders[task.language].hide(codes[key], expected, mask, task.solution.keys())

    return hide
