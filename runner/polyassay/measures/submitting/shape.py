"""What is the same for code that differs only in what can be changed at no cost.

Answers are hostile text, so this runs in a helper process (`shape_server.py`).
"""

from hashlib import sha256

from polyassay.languages import LANGUAGES, imported
from polyassay.model import Language


def shape(code: str, language: str, entry: str = "") -> str:
    """Empty where the code does nothing.

    `entry`: the name by which the tests call it, which is not its own.
    """
    parts = imported(LANGUAGES[Language(language)].plain_parts)(code, entry)
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest() if parts else ""
