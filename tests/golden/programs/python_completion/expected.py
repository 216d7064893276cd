from typing import List


def largest(xs: List[int]) -> int:
    """The largest of xs."""
    return max(xs)

print(largest([1]))
