"""What a function is called in a prompt, as ODEX names it (its paper, appendix E.3)."""

import string
from collections.abc import Callable

CONSTANT = "function"
FIRST_WORDS = 4
STOP_WORDS = frozenset(("in", "of", "a", "to", "and", "for", "with", "that"))
QUOTES = ("`", "'")


def function_name(method: str, entry: str, intent: str) -> str:
    """`id` keeps the suite's own name; the others hide it, or say what is meant."""
    if method == "constant":
        return CONSTANT
    return name_from_intent(intent) if method == "intent" else entry


def name_from_intent(intent: str) -> str:
    """The first words, up to a number, a quoted word, or a stop word after the second word.

    Stop words at the beginning stay, which the paper's text denies and the published code does.
    """
    words = [word.lower() for word in intent.split()[:FIRST_WORDS]]
    words = _before(words, lambda _place, word: _is_number(word))
    words = _before(words, lambda place, word: place > 1 and word in STOP_WORDS)
    words = _before(words, lambda _place, word: word.startswith(QUOTES))
    bare = ("".join(c for c in word if c not in string.punctuation) for word in words)
    words = [word for word in bare if word.strip()]
    if len(words) < 2:
        words = ["f", *words]
    return "_".join([words[0].removeprefix("¿"), *words[1:]])


def _before(words: list[str], ends: Callable[[int, str], bool]) -> list[str]:
    """The words before the first that ends them."""
    place = next((place for place, word in enumerate(words) if ends(place, word)), len(words))
    return words[:place]


def _is_number(word: str) -> bool:
    """Also nan, infinity and 1e5: whatever Python reads as one."""
    try:
        float(word)
    except ValueError:
        return False
    return True
