"""pass@k and pass^k without bias."""

from functools import lru_cache

from polyassay.errors import PolyAssayError


@lru_cache(maxsize=4096)  # of a million verdicts, few units differ in these numbers
def pass_at_k(samples: int, passed: int, k: int) -> float:
    """The chance that at least one of k samples, drawn without replacement, passes.

    1 - C(n-c, k) / C(n, k), as a product: the binomials overflow long before the ratio does.
    """
    _refuse_k("pass@", samples, k)
    if samples - passed < k:
        return 1.0
    none_passes = 1.0
    for i in range(samples - passed + 1, samples + 1):
        none_passes *= 1.0 - k / i
    return 1.0 - none_passes


def pass_hat_k(samples: int, passed: int, k: int) -> float:
    """The chance that all of k samples, drawn without replacement, pass: C(c, k) / C(n, k)."""
    _refuse_k("pass^", samples, k)
    all_pass = 1.0
    for i in range(k):
        all_pass *= max(0, passed - i) / (samples - i)
    return all_pass


def _refuse_k(what: str, samples: int, k: int) -> None:
    if not 1 <= k <= samples:
        raise PolyAssayError(
            f"{what}{k} needs {k} samples of a task, and there are {samples}.",
            hint=f"Ask for k from 1 to {samples}." if samples else "Ask a tool for answers first.",
        )


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
