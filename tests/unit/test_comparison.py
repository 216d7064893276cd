"""What holds for any output, however odd; the cases are in tests/golden/cells."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyassay.comparison import RULES, AnswerType, CellFailure, CellOutput
from polyassay.comparison.values import LIMIT

TYPES = st.sampled_from(AnswerType)
NUMBERS = st.lists(
    st.floats(-1e6, 1e6).map(lambda x: round(x, 3)) | st.integers(-(10**9), 10**9),
    min_size=1,
    max_size=8,
)
WORDS = st.lists(
    st.sampled_from(["red", "green", "blue", "Lisbon", "x_1", "y"]), min_size=1, max_size=6
)
HOSTILE = [
    "1" * LIMIT + "x",
    "123," * (LIMIT // 4),
    "<a" * (LIMIT // 2),
    "[" * LIMIT,
    "1 " * (LIMIT // 2),
    "Name: , " * (LIMIT // 8) + "dtype: ",
    "0\n" * (LIMIT // 2),
    "9" * 500 + "e" + "9" * 500,
    "1e400 -1e400 1e-400",
]


def compare(rule, answer_type, accepted, text):
    return RULES[rule](answer_type, accepted, CellOutput(shown=text, printed=text))


@given(st.sampled_from(list(RULES)), TYPES, st.lists(st.text(), max_size=3), st.text())
@example("default", AnswerType.NUMBER, ["1"], "1e999999999")
@example("exeds", AnswerType.NUMBER, ["1"], "1e9999")
def test_any_text_gives_a_match(rule, answer_type, accepted, text):
    match = compare(rule, answer_type, accepted, text)
    assert 0.0 <= match.f1 <= 1.0
    assert match.equal == (match.failure is None)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_long_hostile_text_is_only_wrong(rule, text):
    for answer_type in (AnswerType.NUMBERS, AnswerType.TEXTS):
        assert not compare(rule, answer_type, ["1 1 1 1 2", "0\n0\n1"], text).equal


@given(st.sampled_from(list(RULES)), TYPES, st.text(min_size=1).filter(str.strip))
def test_an_output_equals_itself_or_shows_no_value(rule, answer_type, text):
    match = compare(rule, answer_type, [text], text)
    assert match.equal or match.failure is CellFailure.NO_OUTPUT


# As a number can be spelled, by a candidate that would like it to be equal to any.
SPELLED = st.from_regex(r"[-+]?[0-9]{1,4}(\.[0-9]{0,6})?([eE][-+]?[0-9]{1,4})?%?", fullmatch=True)


@given(SPELLED)
@example("0.000e+99")
@example("-0.0000e+300")
@example("0.001e+12")
@example("0000.0000e0009")
@example("+.0000e99")
@example("00.00000E+0300")
@example("1e+06")
def test_no_spelling_is_equal_to_numbers_that_are_far_apart(text):
    accepted = ["7", "-7", "42", "777.5", "123456789", "1e12", "-3.5e11", "0"]
    equal = [one for one in accepted if compare("default", AnswerType.NUMBER, [one], text).equal]
    assert len(equal) <= 1


@given(NUMBERS, st.sampled_from(["{}", "mean: {}", "array({})", "the values are {}."]))
def test_numbers_are_equal_in_any_dress(numbers, dress):
    for separator in (", ", "\n", "  "):
        text = separator.join(map(str, numbers))
        shown = dress.format(f"[{text}]")
        assert compare("default", AnswerType.NUMBERS, [str(numbers)], shown).equal


@given(NUMBERS, st.integers(-999, 999), st.booleans())
def test_a_number_more_or_less_is_never_equal(numbers, extra, first):
    longer = [extra, *numbers] if first else [*numbers, extra]
    for accepted, shown in ((numbers, longer), (longer, numbers)):
        assert not compare("default", AnswerType.NUMBERS, [str(accepted)], str(shown)).equal


@given(NUMBERS)
def test_order_counts(numbers):
    turned = numbers[::-1]
    same = all(math.isclose(round(a, 2), round(b, 2)) for a, b in zip(numbers, turned, strict=True))
    match = compare("default", AnswerType.NUMBERS, [str(numbers)], str(turned))
    assert match.equal == same
    assert match.f1 == 1.0


@given(WORDS, WORDS)
def test_texts_are_equal_where_their_words_are(some, others):
    match = compare("default", AnswerType.TEXTS, [str(some)], "\n".join(others))
    assert match.equal == (some == others)
    assert (match.f1 == 0.0) == set(some).isdisjoint(others)
