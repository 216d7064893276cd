"""ROUGE-L, METEOR and ChrF of two texts, by the libraries that everyone uses."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from polyassay.measures.surface.synonyms import SYNONYMS

CHRF_ORDER = 6


@cache
def _rouge_tokens() -> Any:
    _nltk()  # which it imports
    from rouge_score.tokenize import tokenize  # slow to import

    return tokenize


@lru_cache(maxsize=64)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Lower-case words of Latin letters and digits; all else vanishes."""
    return tuple(_rouge_tokens()(text, None))


def rouge_l(answer: str, references: Sequence[str]) -> float:
    """F1 over the longest common subsequence, of the reference that fits best.

    Equal to rouge_score's rougeL, whose table takes a second for a thousand words.
    """
    found = rouge_tokens(answer)
    return max(_rouge(found, rouge_tokens(reference)) for reference in references)


def _rouge(found: Sequence[str], known: Sequence[str]) -> float:
    if not found or not known:
        return 0.0
    length = common_subsequence(found, known)
    precision, recall = length / len(found), length / len(known)
    return 2 * precision * recall / (precision + recall) if length else 0.0


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest one, a row of the table at a time in the bits of one number."""
    places: dict[str, int] = {}
    for i, token in enumerate(second):
        places[token] = places.get(token, 0) | 1 << i
    row = (1 << len(second)) - 1
    full = row
    for token in first:
        matches = row & places.get(token, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(second) - row.bit_count()


@contextmanager
def _without(*packages: str) -> Iterator[None]:
    """While NLTK is imported it finds none of these, and leaves out what needs them.

    It would load scipy and scikit-learn for parts that are not used here: 1.6 s of CPU instead of
    0.3 s in every helper process.
    """
    missing = [package for package in packages if package not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for package in missing:
            del sys.modules[package]


@cache
def _nltk() -> None:
    with _without("scipy", "sklearn"):
        import nltk  # noqa: F401 - its parts are imported where they are used


class _Stems:
    """Porter's stems, remembered: code repeats its words."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem = lru_cache(maxsize=65536)(PorterStemmer().stem)


class _Lemma:
    def __init__(self, word: str) -> None:
        self._word = word

    def name(self) -> str:
        return self._word


class _Synset:
    def __init__(self, words: Iterable[str]) -> None:
        self._words = words

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self._words]


class _FewSynonyms:
    """Stands for WordNet: what NLTK asks of it, for the words that code often uses."""

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(SYNONYMS[word])] if word in SYNONYMS else []


@cache
def wordnet() -> str:
    """Which WordNet NLTK finds on this machine; empty where there is none."""
    _nltk()
    from nltk.corpus import wordnet as found

    try:
        return str(found.get_version())
    except LookupError:
        return ""


@cache
def _meteor_parts() -> tuple[Any, Any, Any, Any]:
    _nltk()
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.translate.meteor_score import single_meteor_score

    if wordnet():
        from nltk.corpus import wordnet as synonyms
    else:
        synonyms = _FewSynonyms()
    return NLTKWordTokenizer(), single_meteor_score, _Stems(), synonyms


def meteor(answer: str, references: Sequence[str]) -> float:
    """METEOR of the reference that fits best: same word, stem or sense."""
    tokenizer, score, stems, synonyms = _meteor_parts()
    found = tokenizer.tokenize(answer)
    return max(
        float(score(tokenizer.tokenize(r), found, stemmer=stems, wordnet=synonyms))
        for r in references
    )


@cache
def _chrf() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


def chrf_counts(answer: str, references: Sequence[str]) -> tuple[float, ...]:
    """Counts of character n-grams (answer's, reference's, common, by order) that add up."""
    (counts,) = _chrf()._extract_corpus_statistics([answer], [[r] for r in references])
    return tuple(counts)


def chrf_score(counts: Sequence[float]) -> float:
    """From 0 to 100, of one sample's counts or of a corpus' sums."""
    return float(_chrf()._compute_f_score(list(counts)))


def forget_texts() -> None:
    """Empties sacrebleu's own caches, which keep 65,536 answers otherwise."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    for tokenizer in (Tokenizer13a, TokenizerRegexp):
        tokenizer.__call__.cache_clear()


@cache
def _bleu() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)


def bleu_counts(answer: str, references: Sequence[str]) -> tuple[float, ...]:
    """sacrebleu's: lengths of answer and reference, matches and n-grams by order."""
    (counts,) = _bleu()._extract_corpus_statistics([answer], [[r] for r in references])
    return tuple(counts)


def bleu_score(counts: Sequence[float], corpus: bool = False) -> float:
    """From 0 to 1. A sentence leaves out orders that it is too short for; a corpus does not."""
    metric = _bleu()
    found = metric.compute_bleu(
        correct=list(counts[2:6]),
        total=list(counts[6:10]),
        sys_len=int(counts[0]),
        ref_len=int(counts[1]),
        smooth_method=metric.smooth_method,
        smooth_value=metric.smooth_value,
        effective_order=not corpus,
        max_ngram_order=metric.max_ngram_order,
    )
    return min(1.0, float(found.score) / 100)  # rounding can make it more
