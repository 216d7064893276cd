"""Text that others wrote, made safe to show: the one place where that is done.

Answers, their output, their messages and their names may hold terminal escapes, characters that
turn lines around, and halves of characters that no file can hold. What is stored stays as it was;
`--json` escapes it.
"""

import re

# C0 but for tab and line feed, DEL, C1, what changes the direction of text, line and paragraph
# separators, lone surrogates.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# The wide forms too, which spreadsheets of some languages take for the narrow ones.
_FORMULA = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
_PASSWORD = re.compile(r"(://[^\s:/@]*:)(\S+)(?=@)")  # one may hold slashes, colons and at signs
_PASSWORD_FIELD = re.compile(r"([?&](?:password|sslpassword|passwd)=)[^&\s\"']+", re.IGNORECASE)


def clean(text: str) -> str:
    r"""The text with a sign in place of each character that would do something when shown.

    >>> clean("\x1b[2Jhi\x9b \u202e")
    '␛[2Jhi� �'
    """
    return _UNSAFE.sub(_sign, text)


def in_a_line(text: str) -> str:
    r"""The same for what is no text of lines, as a name: it cannot look like lines of ours.

    >>> in_a_line("finch\n✓ all is well")
    'finch␊✓ all is well'
    """
    return clean(text.replace("\n", "\N{SYMBOL FOR LINE FEED}").replace("\t", " "))


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)  # Unicode's pictures of control characters
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    text = clean(value)
    return f"'{text}" if value.startswith(_FORMULA) else text


def hide_passwords(text: str) -> str:
    """Addresses of stores without their passwords.

    >>> hide_passwords("postgresql://me:secret@host/db")
    'postgresql://me:***@host/db'
    """
    return _PASSWORD_FIELD.sub(r"\1***", _PASSWORD.sub(r"\1***", text))
