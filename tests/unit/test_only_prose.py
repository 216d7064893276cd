import pytest

from polyassay.candidates.chat import is_only_prose


@pytest.mark.parametrize(
    "text",
    [
        "I am sorry, I cannot help with that.",
        "Sorry!\n\nThis task can't be done: it needs the network.",
        "抱歉，我无法帮助您。",
    ],
)
def test_a_refusal_is_prose(text: str) -> None:
    assert is_only_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "return the sum of both",
        "Here it is:\nreturn n + 1",
        "x = one two three",
        "int one two three;",
        "Call me like so: twice(2) is four",
        "class Doubler extends Thing",
        "pass",
        "a b c",
        "    if n is not None and n:\n        raise",
        "",
    ],
)
def test_what_may_be_code_is_not(text: str) -> None:
    assert not is_only_prose(text)
