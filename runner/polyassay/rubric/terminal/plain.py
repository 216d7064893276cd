"""Grading line by line, for dumb terminals and scripts."""

from collections.abc import Callable

from polyassay.rubric.room.room import Room
from polyassay.rubric.room.view import ShownField, View
from polyassay.rubric.room.words import say, word

Ask = Callable[[str], str]  # raises EOFError at the end of the input
Tell = Callable[[str], None]


def grade_plainly(room: Room, ask: Ask, tell: Tell) -> None:
    """Until everything is done, or the grader leaves."""
    shown: int | None = None
    tell(say(room.desk.rubric.rule, room.language))
    tell(_keys(room))
    try:
        while not (view := room.view()).finished:
            if shown != view.number:
                _show_item(view, tell)
                shown = view.number
            if not _one_answer(room, view, ask, tell):
                return
        tell(view.closing)
        question = word("revisit", room.language)
        if room.desk.progress().skipped and ask(f"{question}? (y/n) ") == "y":
            room.press("r")
            grade_plainly(room, ask, tell)
    except EOFError:
        tell("")


def _keys(room: Room) -> str:
    """Every key that has to be typed, in a line."""
    language = room.language
    more = [("?", word("help", language)), ("q", word("quit", language))]
    shown = [*((key.key, key.name) for key in room.view().keys), *more]
    return "   ".join(f"{key} {name}" for key, name in shown)


def _show_item(view: View, tell: Tell) -> None:
    tell(f"\n=== {' · '.join(view.where)}")
    tell(view.prompt)
    if view.signature:
        tell(view.signature)
    for answer in view.answers:
        tell(f"--- {answer.title}" if len(view.answers) > 1 else "---")
        lines = answer.code.rstrip("\n").split("\n")
        tell("\n".join(f"{number:4}  {line}" for number, line in enumerate(lines, start=1)))
    tell("---")


def _one_answer(room: Room, view: View, ask: Ask, tell: Tell) -> bool:
    """Asks for one key; False where the grader leaves."""
    focused = next(field for field in view.fields if field.focused)
    if view.feedback:
        tell(view.feedback)
    key = ask(_question(focused)).strip()
    if key == "q":
        return False
    if key == "?":
        tell(room.handbook(arrows=False))
    elif key == "c":
        room.press("c", ask(f"{word('comment', room.language)}: ").strip())
    elif key:
        room.press(key)
        _tell_what_came(room.view(), tell)
    return True


def _tell_what_came(view: View, tell: Tell) -> None:
    if view.notice:
        tell(view.notice)
    if view.reference:
        tell(view.reference)
    for sign, line in view.difference:
        tell(f"{sign} {line}")


def _question(field: ShownField) -> str:
    options = "  ".join(f"{option.key} {option.label}" for option in field.options)
    side = f" {field.side}" if field.side else ""
    now = "".join(f" [{option.key}]" for option in field.options if option.given)
    return f"{field.name}{side}: {options}{now}\n> "
