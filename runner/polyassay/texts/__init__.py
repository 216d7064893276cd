"""What PolyAssay says, in the language that is spoken.

English stands where it is said, so that code reads as the page does; `chinese.py` and its
neighbours have the same sentences in Chinese. What has no translation stays English, and a test
of the whole report finds it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from polyassay.texts.chinese import CHINESE, CHINESE_SCRIPTS

LANGUAGES = ("en", "zh")
_spoken: ContextVar[str] = ContextVar("spoken", default="en")
_CATALOGUES = {"zh": CHINESE}
_SCRIPTS = {"zh": CHINESE_SCRIPTS}  # for what pages say after they were written


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything that is said within is said in this language."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> str:
    return _spoken.get()


def words_of_scripts() -> Mapping[str, str]:
    """What scripts of a page look their sentences up in; nothing in English."""
    return _SCRIPTS.get(_spoken.get(), {})


def say(english: str, /, **values: object) -> str:
    """A sentence in the language that is spoken, with its values.

    >>> say("{tool} is better", tool="heron")
    'heron is better'
    >>> with speaking("zh"):
    ...     say("{tool} is better", tool="heron")
    'heron 更好'
    """
    text = _CATALOGUES.get(_spoken.get(), {}).get(english, english)
    return text.format(**values) if values else text
