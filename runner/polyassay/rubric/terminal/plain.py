"""Grading line by line, for dumb terminals and scripts."""

from collections.abc import Callable

from polyassay.model import CandidateKey
from polyassay.rubric.grading import Grading
from polyassay.rubric.terminal.session_text import KEYS, closing, handbook, headline

Ask = Callable[[str], str]  # raises EOFError where nobody answers any more
Tell = Callable[[str], None]


def grade_plainly(
    grading: Grading, code: Callable[[CandidateKey], str], language: str, ask: Ask, tell: Tell
) -> None:
    """Until everything is done, or the grader leaves."""
    shown: int | None = None
    tell(grading.rubric.rule[language])
    try:
        while not grading.finished:
            if shown != grading.number:
                _show_item(grading, code, tell)
                shown = grading.number
            if not _one_answer(grading, language, ask, tell):
                return
        tell(closing(grading))
        if grading.progress().skipped and ask("Go through the skipped items? (y/n) ") == "y":
            grading.take_up_skipped()
            grade_plainly(grading, code, language, ask, tell)
    except EOFError:
        tell("")


def _show_item(grading: Grading, code: Callable[[CandidateKey], str], tell: Tell) -> None:
    tell(f"\n=== {headline(grading)}")
    tell(grading.prompt.strip())
    if grading.task.signature:
        tell(grading.task.signature)
    for side, item in enumerate(grading.answers):
        tell(f"--- answer {'AB'[side]}" if len(grading.answers) > 1 else "---")
        lines = code(item.key).rstrip("\n").split("\n")
        tell("\n".join(f"{number:4}  {line}" for number, line in enumerate(lines, start=1)))
    tell("---")


def _one_answer(grading: Grading, language: str, ask: Ask, tell: Tell) -> bool:
    """Asks for one key; False where the grader leaves."""
    key = ask(_question(grading, language)).strip()
    if key.isdecimal():
        if not grading.score(int(key)):
            low, high = grading.cell.dimension.low, grading.cell.dimension.high
            tell(f"{grading.cell.dimension.name[language]} is {low} to {high}.")
    elif key == "q":
        return False
    elif key == "?":
        tell(handbook(grading.rubric, language))
    elif key == "u":
        if not grading.undo():
            tell("There is nothing to take back.")
    elif key == "c":
        grading.comment(ask("comment: ").strip())
    elif key in ("s", "b", "n", "f"):
        {"s": grading.skip, "b": grading.back, "n": grading.forward, "f": grading.flag}[key]()
    elif key:
        tell(f"Give a score, or one of {' '.join(KEYS)} ?")
    return True


def _question(grading: Grading, language: str) -> str:
    cell = grading.cell
    points = "  ".join(f"{p.score} {p.label[language]}" for p in cell.dimension.points)
    side = f" of {'AB'[cell.side]}" if len(grading.answers) > 1 else ""
    given = grading.sheet(grading.answers[cell.side]).scores.get(cell.dimension.id)
    now = f" [{given}]" if given is not None else ""
    return f"{cell.dimension.name[language]}{side}: {points}{now}\n> "
