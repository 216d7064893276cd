"""Words of ours that a reader of the report cannot know, explained where they stand."""

from collections.abc import Iterable, Mapping

from polyassay.texts import say

MEANINGS: Mapping[str, str] = {
    "judged apart": "The tests ran out of the answer’s reach, so it cannot have forged its result.",
    "judged together": "Tests and answer shared one sandboxed process, because what the tests need "
    "(mocks, streams, callbacks) cannot leave it. An answer made for that could forge its result.",
    "lucky": "The verdict is another one under another hash seed, other addresses or another order "
    "of the tests.",
    "weak": "An answer without content passes the tests, or most of the small errors that were put "
    "into the reference do. To pass them says little.",
    "mutants": "Copies of the reference with one small error each. Good tests fail most of them.",
    "flaky": "The same answer sometimes passes the test and sometimes does not.",
    "unbuilt": "The answer is no program that can run: it does not compile, holds no code, or "
    "lacks what the task asks for.",
    "domain": "As the suite’s publisher divides its tasks: closed ones need the language alone, "
    "open ones its libraries, too.",
    "canary": "A text that marks a suite, so that it can be found in what a model was trained on.",
}


def explain(word: str) -> str:
    return say(MEANINGS[word])


def words_met(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Those that these texts use, with their meanings."""
    told = " ".join(texts).casefold()
    return [(say(word), explain(word)) for word in MEANINGS if say(word).casefold() in told]
