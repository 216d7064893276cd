"""The page and what it is drawn from: plain values for JSON, code as pieces with their colours."""

import dataclasses
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pygments.token import Comment, Keyword, Name, Number, String

from polyassay.languages.highlight import BriefLexer
from polyassay.model import Language
from polyassay.rubric.room.room import Room
from polyassay.rubric.room.words import WORDS, say

STATIC = Path(__file__).parent / "static"
# Kinds of tokens that have a colour, and the letter that names the colour in page.css.
COLOURS = (
    (Comment, "c"),
    (String, "s"),
    (Number, "n"),
    (Keyword, "k"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "d"),
)


@cache
def static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def words_in(language: str) -> dict[str, str]:
    """Every word of the interface, for the page."""
    return {name: say(words, language) for name, words in WORDS.items()}


@lru_cache(maxsize=512)
def pieces(code: str, language: str) -> tuple[tuple[str, str], ...]:
    """Code as (colour, text), neighbours of one colour joined; the page never takes it for HTML."""
    found: list[tuple[str, str]] = []
    for kind, text in BriefLexer(Language(language)).get_tokens(code.rstrip("\n")):
        colour = next((letter for token, letter in COLOURS if kind in token), "")
        if found and found[-1][0] == colour:
            found[-1] = (colour, found[-1][1] + text)
        else:
            found.append((colour, text))
    return tuple(found)


def shown(room: Room) -> dict[str, Any]:
    """The room's view, as the page draws it."""
    view = room.view()
    values = dataclasses.asdict(view)
    for answer in values["answers"]:
        answer["pieces"] = pieces(answer.pop("code"), view.language)
    values["reference"] = pieces(view.reference, view.language) if view.reference else []
    progress = room.desk.progress()
    return values | {"progress": [progress.done, progress.total]}
