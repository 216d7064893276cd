"""From code to tokens, as ODEX's and ExeDS' scripts and mteval do it."""

import re
from functools import cache
from typing import Any

_TOKEN = re.compile(r"[A-Za-z0-9_]+|\S")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_QUOTES = str.maketrans({'"': "`", "'": "`"})

# ODEX's list; ExeDS' lacks async and await.
_PYTHON = """
False None True and as assert async await break class continue def del elif else except finally
for from global if import in is lambda nonlocal not or pass raise return try while with yield
"""
_JAVA = """
abstract assert boolean break byte case catch char class const continue default do double else
enum extends final finally float for goto if implements import instanceof int interface long
native new package private protected public return short static strictfp super switch
synchronized this throw throws transient try void volatile while
"""
PYTHON_KEYWORDS = frozenset(_PYTHON.split())
EXEDS_KEYWORDS = PYTHON_KEYWORDS - {"async", "await"}
JAVA_KEYWORDS = frozenset(_JAVA.split())
KEYWORDS = {"python": PYTHON_KEYWORDS, "java": JAVA_KEYWORDS}


def odex_tokens(code: str) -> list[str]:
    """ODEX's tokens: a character that is no letter, digit or underscore stands alone.

    Quotes become one kind, aB becomes a B, and without any token there are two empty ones.
    """
    return _TOKEN.findall(_CAMEL.sub(" ", code.translate(_QUOTES))) or ["", ""]


def odex_text(code: str) -> str:
    """What ODEX hands to all metrics but CodeBLEU; a single space for no token at all."""
    return " ".join(odex_tokens(code))


def exeds_tokens(code: str) -> list[str]:
    """ExeDS' tokens: split at single spaces, so that line ends stay glued to words."""
    return code.split(" ")


@cache
def _mteval() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a  # slow to import

    return Tokenizer13a()  # type: ignore[no-untyped-call]


def mteval_tokens(text: str) -> list[str]:
    """The tokens of mteval-v13a, which most BLEU scripts use."""
    tokens: list[str] = _mteval()(text).split()
    return tokens
