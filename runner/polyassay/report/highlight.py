"""Code as HTML: with line numbers, coloured, and with what was said at its lines."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter
from pygments.token import Generic

from polyassay.languages.highlight import BriefLexer
from polyassay.model import Language
from polyassay.report.tasks.remarks import Remark, lines_of

_MOST_CHARACTERS = 20_000  # of one candidate; a page must open even for a hostile answer
_TAB = 4
_WORD = re.compile(r"\w+|.")


def highlight(code: str, language: Language, remarks: Sequence[Remark] = ()) -> Markup:
    """One <span class="line"> a line; the formatter closes its own spans at line ends."""
    raw = lines_of(code[:_MOST_CHARACTERS])
    shown = "\n".join(line.expandtabs(_TAB) for line in raw)
    try:
        html = _coloured(shown, language, set(_places(raw, remarks)))
    except Exception:  # a lexer that trips over hostile text must not cost the page
        html = str(escape(shown))
    said: dict[int, str] = {}
    for remark in remarks:
        at = min(remark.line, len(raw))
        said[at] = said.get(at, "") + f'<span class="remark">{escape(remark.said)}\n</span>'
    body = "".join(
        f'<span class="line{" marked" * (number in said)}">{line}\n</span>{said.get(number, "")}'
        for number, line in enumerate(html.rstrip("\n").split("\n"), start=1)
    )
    left = len(code) - _MOST_CHARACTERS
    more = f'<span class="cut">… {left:,} more characters</span>' if left > 0 else ""
    return Markup(body + more)  # noqa: S704 - pygments escapes every token


def _places(raw: Sequence[str], remarks: Iterable[Remark]) -> Iterator[int]:
    """Where in the shown text the marked characters stand; at a line's end, the last one."""
    begins = [0, *accumulate(len(line.expandtabs(_TAB)) + 1 for line in raw)]
    for remark in remarks:
        if not remark.character or remark.line > len(raw):
            continue
        line = raw[remark.line - 1]
        before = len(line[: remark.character - 1].expandtabs(_TAB))
        yield begins[remark.line - 1] + min(before, len(line.expandtabs(_TAB)) - 1)


def _coloured(text: str, language: Language, places: set[int]) -> str:
    out = io.StringIO()
    tokens = BriefLexer(language).get_tokens(text)
    HtmlFormatter(nowrap=True).format(_marked(tokens, places), out)
    return out.getvalue()


def _marked(tokens: Iterable[tuple[Any, str]], places: set[int]) -> Iterator[tuple[Any, str]]:
    """A word that begins at one of the places is a token of its own kind."""
    begin = 0
    for kind, value in tokens:
        done = 0
        for place in sorted(each - begin for each in places if begin <= each < begin + len(value)):
            word = _WORD.match(value, place)
            if word and place >= done:
                yield kind, value[done:place]
                yield Generic.Error, word[0]
                done = word.end()
        yield kind, value[done:]
        begin += len(value)
