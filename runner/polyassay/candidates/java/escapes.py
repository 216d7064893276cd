"""Unicode escapes outside of texts: `\\u007b` is a brace to javac before it is anything else."""

import re

_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
_RUN = re.compile(r"\\+(?:u+[0-9a-fA-F]{4})?")
# What a reader must see to find its way; what else is escaped may stay so.
_SIGNS = frozenset("{}()[];,.@<>=*/\"'\\ \t\f\n\r") | frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$"
)


def without_escapes(code: str) -> str:
    """The code with letters and signs in place of their escapes.

    As it was where the result would be read as having escapes of its own.
    """
    if not _ESCAPE.search(code):
        return code
    plain = _RUN.sub(_plain, code)
    made = len(_eligible(plain))
    kept = sum(1 for found in _eligible(code) if chr(int(found, 16)) not in _SIGNS)
    return plain if made == kept else code


def _plain(found: re.Match[str]) -> str:
    """A backslash begins an escape where an even number of them stands before it."""
    slashes, _, _ = found[0].partition("u")
    escape = _ESCAPE.search(found[0])
    if escape is None or len(slashes) % 2 == 0:
        return found[0]
    sign = chr(int(escape[1], 16))
    if sign not in _SIGNS:
        return found[0]
    return slashes[:-1] + ("\n" if sign == "\r" else sign)


def _eligible(code: str) -> list[str]:
    """The digits of all escapes that javac takes for such."""
    runs = (found[0] for found in _RUN.finditer(code))
    return [run[-4:] for run in runs if "u" in run and run.index("u") % 2]
