from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyassay.errors import PolyAssayError
from polyassay.measures.passk import parse_ks, pass_at_k


@given(st.data())
def test_equals_the_share_of_all_draws_that_hold_a_pass(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_many_samples_do_not_overflow() -> None:
    assert pass_at_k(10_000, 1, 100) == pytest.approx(0.01)


@pytest.mark.parametrize(("n", "k"), [(1, 2), (0, 1), (5, 0)])
def test_refuses_k_beyond_the_samples(n: int, k: int) -> None:
    with pytest.raises(PolyAssayError, match=f"pass@{k} needs"):
        pass_at_k(n, 0, k)


def test_reads_a_list_of_k() -> None:
    assert parse_ks("10,1,1") == (1, 10)


@pytest.mark.parametrize("text", ["", "0", "one", "1,,2", "-1"])
def test_refuses_what_is_no_k(text: str) -> None:
    with pytest.raises(PolyAssayError):
        parse_ks(text)
