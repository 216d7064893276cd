"""Java's words without what a copy can be changed in at no cost."""

from collections.abc import Iterator, Sequence

from polyassay.measures.submitting.bare_code import bare_tokens
from polyassay.model import Language

# What stands before a name that is used there, and not declared.
_NO_TYPES = frozenset(("return", "throw", "new", "else", "case", "instanceof", "import", "package"))
_NO_TYPES |= {"break", "continue", "assert", "extends", "implements", "throws", "do", "yield"}
_AFTER_DECLARED = frozenset("=;,):")


def java_parts(code: str, entry: str) -> list[str]:
    """Without imports, plain annotations, `final` and brackets around what is returned.

    Names that are declared (variables, parameters, fields) are numbered in order of appearance.
    """
    kept = list(_without_brackets(list(_needed(bare_tokens(code, Language.JAVA)))))
    declared = {kept[n] for n in range(1, len(kept) - 1) if _is_declared(*kept[n - 1 : n + 2])}
    numbers: dict[str, str] = {}
    for n, word in enumerate(kept):
        is_member = n > 0 and kept[n - 1] == "." and kept[n - 2 : n - 1] != ["this"]
        is_called = kept[n + 1 : n + 2] == ["("]
        if word in declared and not is_member and not is_called:
            kept[n] = numbers.setdefault(word, f"name {len(numbers)}")
    return kept


def _needed(words: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1 : at + 3]
        if word in ("import", "package") and (not at or words[at - 1] == ";"):
            while at < len(words) and words[at] != ";":
                at += 1
        elif word == "@" and following[:1] != ["interface"] and following[1:] != ["("]:
            at += 1
        elif word != "final":
            yield word
        at += 1


def _without_brackets(words: list[str]) -> Iterator[str]:
    closes: dict[int, int] = {}
    open_: list[int] = []
    for at, word in enumerate(words):
        if word == "(":
            open_.append(at)
        elif word == ")" and open_:
            closes[open_.pop()] = at
    dropped: set[int] = set()
    for at, close in closes.items():
        if words[at - 1 : at] == ["return"] and words[close + 1 : close + 2] == [";"]:
            dropped |= {at, close}
    return (word for at, word in enumerate(words) if at not in dropped)


def _is_declared(before: str, word: str, after: str) -> bool:
    if not (word[0].isalpha() or word[0] in "_$") or word in _NO_TYPES:
        return False
    is_type = before in (">", "]") or (before[0].isalpha() and before not in _NO_TYPES)
    return is_type and after in _AFTER_DECLARED
