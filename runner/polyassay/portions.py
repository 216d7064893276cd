"""How much goes to a helper process at once."""

from collections.abc import Sequence

CHARACTERS = 1 << 20


def portion(texts: Sequence[str]) -> int:
    """How many, from the first on, make a request of moderate size; one in any case."""
    left = CHARACTERS
    for count, text in enumerate(texts):
        left -= len(text)
        if left < 0:
            return max(count, 1)
    return len(texts)
