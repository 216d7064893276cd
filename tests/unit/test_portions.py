"""How much goes to a helper process at once."""

import pytest

from polyassay import portions
from polyassay.portions import portion


@pytest.mark.parametrize(
    ("lengths", "count"), [((), 0), ((3, 4, 3), 3), ((3, 4, 4), 2), ((11, 1), 1), ((1, 11), 1)]
)
def test_portion_is_of_moderate_size(monkeypatch, lengths, count):
    monkeypatch.setattr(portions, "CHARACTERS", 10)
    assert portion(["x" * length for length in lengths]) == count
