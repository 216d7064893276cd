"""pass@k without bias."""

from collections.abc import Iterable

from polyassay.errors import PolyAssayError


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """The chance that at least one of k samples, drawn without replacement, passes.

    1 - C(n-c, k) / C(n, k), as a product: the binomials overflow long before the ratio does.
    """
    if not 1 <= k <= samples:
        raise PolyAssayError(
            f"pass@{k} needs {k} samples of a task, and there are {samples}.",
            hint=f"Ask for k from 1 to {samples}." if samples else "Ask a tool for answers first.",
        )
    if samples - passed < k:
        return 1.0
    none_passes = 1.0
    for i in range(samples - passed + 1, samples + 1):
        none_passes *= 1.0 - k / i
    return 1.0 - none_passes


def parse_ks(text: str) -> tuple[int, ...]:
    """Reads `1,5,10`: rising and without repeats."""
    try:
        ks = sorted({int(part) for part in text.split(",")})
    except ValueError:
        ks = []
    if not ks or ks[0] < 1:
        raise PolyAssayError(
            f'"{text}" is no list of k.', hint="Give whole numbers from 1 on, such as --k 1,5,10."
        )
    return tuple(ks)


def refuse_large_k(k: int, samples: Iterable[tuple[str, int]], tool: str) -> None:
    """Raises where a task was answered, but fewer than k times."""
    for task, count in samples:
        if 0 < count < k:
            raise PolyAssayError(
                f"pass@{k} needs {k} samples of every task, and {tool} has {count} of {task}.",
                hint=f"Ask for k up to {count}, or give {tool} more samples.",
            )
