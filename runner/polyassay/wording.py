"""Small wordings that every part shares."""

import difflib
from collections.abc import Iterable, Iterator, Mapping

from polyassay.texts import say

NO_CODE = "the answer holds no code"  # of a refusal, or other prose


def counted(count: int, what: str, plural: str = "") -> str:
    """1 task, 2 tasks, 1,100 tasks; 2 libraries where the plural is told."""
    named = what if count == 1 else plural or what + "s"
    return say(f"{{count}} {named}", count=f"{count:,}")


def asked_told(units: int, tasks: int) -> str:
    """15 tasks; 28 prompts of 15 tasks where they were put in several languages."""
    if tasks == units:
        return counted(units, "task")
    prompts, of = counted(units, "prompt"), counted(tasks, "task")
    return say("{prompts} of {tasks}", prompts=prompts, tasks=of)


def fixed(value: float, digits: int = 1, signed: bool = False) -> str:
    """A number with a real minus sign; what rounds to zero is 0, which has no sign.

    >>> fixed(-0.04), fixed(-4.21), fixed(4.21, signed=True)
    ('0.0', '−4.2', '+4.2')
    """
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return text
    return ("−" if value < 0 else "+" * signed) + text


def megabytes(size: int) -> str:
    """A size on the disk: 1,234 MB; less than ten of them with a digit more."""
    return f"{size / 1e6:,.{1 if size < 10e6 else 0}f} MB"


def probable_typos(names: Iterable[str], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names that nobody knows but that look like known ones which are not there, with a hint."""
    present, right = set(names), set(known)
    for name in sorted(present - right):
        if hint := did_you_mean(name, right - present, 0.8):
            yield name, hint


def stopped(text: str) -> str:
    """A sentence with its full stop, or with the question mark that it has.

    >>> stopped("it is missing"), stopped('did you mean "task"?')
    ('it is missing.', 'did you mean "task"?')
    """
    return text if text.endswith("?") else f"{text}."


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """A hint's beginning, empty where nothing is close."""
    close = closest(word, known, cutoff)
    return f'did you mean "{close}"? ' if close else ""


def closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that is the most like it, if any is like it."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return close[0] if close else ""


def some(names: Iterable[str], most: int = 5) -> str:
    """The first few of them, and how many more there are."""
    listed = list(names)
    first = say(", ").join(listed[:most])
    if len(listed) <= most:
        return first
    return say("{names} and {more} more", names=first, more=len(listed) - most)


def listing(files: Mapping[str, str]) -> str:
    """Files as people read them: one as it is, several below their paths."""
    if len(files) == 1:
        return next(iter(files.values()))
    parts = []
    for path, text in files.items():
        head = f"{'#' if path.endswith('.py') else '//'} {path}\n"
        told = "" if text.startswith(head) else head  # chats often begin a file with its path
        parts.append(f"{told}{text.rstrip()}\n")
    return "\n".join(parts)
