"""Time-limited highlighting of untrusted code."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from polyassay.languages import LANGUAGES
from polyassay.model import Language

SECONDS = 0.5


class BriefLexer(Lexer):  # type: ignore[misc]
    """Colours for a moment and leaves the rest plain: odd text keeps some lexers busy for minutes.

    Java's looks for a method's name from every word on to the end of the text.
    """

    def __init__(self, language: Language, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stripnl=False)
        self._lexer = get_lexer_by_name(LANGUAGES[language].highlighter)
        self._clock = clock

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        until = self._clock() + SECONDS
        end = 0
        for start, kind, value in self._lexer.get_tokens_unprocessed(text):
            yield start, kind, value
            end = start + len(value)
            if self._clock() > until:
                break
        if end < len(text):
            yield end, Token.Text, text[end:]
