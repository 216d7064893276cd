from __future__ import annotations

def largest(xs: list[int]) -> int:
    return max(xs)
