"""Code as HTML with line numbers, coloured when the page is built."""

from markupsafe import Markup, escape
from pygments import highlight as colour
from pygments.formatters import HtmlFormatter

from polyassay.languages.highlight import BriefLexer
from polyassay.model import Language

_MOST_CHARACTERS = 20_000  # of one candidate; a page must open even for a hostile answer


def highlight(code: str, language: Language) -> Markup:
    """One <span class="line"> a line; the formatter closes its own spans at line ends."""
    shown = code[:_MOST_CHARACTERS].replace("\r\n", "\n").expandtabs(4)
    try:
        html = colour(shown, BriefLexer(language), HtmlFormatter(nowrap=True))
    except Exception:  # a lexer that trips over hostile text must not cost the page
        html = str(escape(shown))
    lines = html.rstrip("\n").split("\n")
    body = "".join(f'<span class="line">{line}\n</span>' for line in lines)
    left = len(code) - _MOST_CHARACTERS
    more = f'<span class="cut">… {left:,} more characters</span>' if left > 0 else ""
    return Markup(body + more)  # noqa: S704 - pygments escapes every token
