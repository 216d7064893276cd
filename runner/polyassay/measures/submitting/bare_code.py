"""Code without what a copy can be given at no cost: comments, layout and texts on their own."""

import re
from collections.abc import Iterator

from polyassay.languages import LANGUAGES
from polyassay.model import Language

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LINE_ENDS = re.compile(r"[ \t;]*(?:#|\r?\n|\Z)")


def bare_code(code: str, language: Language) -> str:
    """The same for code that differs in comments, docstrings and white space only.

    Reads any text in one pass, so hostile text costs no more than other text of its length.
    """
    return " ".join(bare_tokens(code, language))


def bare_tokens(code: str, language: Language) -> list[str]:
    return list(_tokens(code, LANGUAGES[language].remarks))


def _tokens(code: str, remarks: re.Pattern[str]) -> Iterator[str]:
    end = 0
    for found in remarks.finditer(code):
        before = code[end : found.start()]
        opens_line = not before.rpartition("\n")[2].strip() and ("\n" in before or not end)
        yield from _TOKEN.findall(before)
        end = found.end()
        is_text = found[0][0] in "\"'"
        if is_text and not (opens_line and _LINE_ENDS.match(code, end)):
            yield found[0]
    yield from _TOKEN.findall(code[end:])
