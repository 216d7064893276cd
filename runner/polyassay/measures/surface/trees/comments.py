"""Comments taken out as the published CodeBLEU scripts do it, mistakes included."""

import io
import re
import tokenize

# Also deletes Python's floor division to the end of the line: ODEX calls this for Python.
_JAVA = re.compile(
    r'//.*?$|/\*.*?\*/|\'(?:\\.|[^\\\'])*\'|"(?:\\.|[^\\"])*"', re.DOTALL | re.MULTILINE
)


def without_java_comments(source: str) -> str:
    cut = _JAVA.sub(lambda found: " " if found[0].startswith("/") else found[0], source)
    return _without_blank_lines(cut)


def without_python_comments(source: str) -> str:
    """Comments and docstrings; also any string that stands first in a line. As is if unreadable."""
    out: list[str] = []
    before, last_line, last_column = tokenize.INDENT, -1, 0
    try:
        for kind, text, (line, column), (end_line, end_column), _ in tokenize.generate_tokens(
            io.StringIO(source).readline
        ):
            last_column = 0 if line > last_line else last_column
            out.append(" " * max(0, column - last_column))
            first = before in (tokenize.INDENT, tokenize.NEWLINE) or not column
            if kind != tokenize.COMMENT and not (kind == tokenize.STRING and first):
                out.append(text)
            before, last_line, last_column = kind, end_line, end_column
    except (tokenize.TokenError, SyntaxError):
        return source
    return _without_blank_lines("".join(out))


def _without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip())
