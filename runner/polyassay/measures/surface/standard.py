"""Surface metrics by the libraries and papers that define them, per sample.

BLEU and ChrF are sacrebleu's, ROUGE-L is rouge-score's, METEOR is NLTK's, all of the plain code.
CodeBLEU is its paper's, on current grammars: its tokens are the grammar's, so that white space does
not count and the inside of a string does; n-grams and weighted n-grams are precisions with a
penalty for brevity; subtrees and edges are clipped, and what the answer has too much counts
against it; where nothing flows in a reference, the other three parts decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from polyassay.measures.surface import ngrams, texts
from polyassay.measures.surface.ngrams import Counted
from polyassay.measures.surface.tokens import KEYWORDS
from polyassay.measures.surface.trees.match import TreeShape, flow_overlap, shape, syntax_overlap
from polyassay.measures.surface.values import NAMES, PARTS, Surface


@dataclass(frozen=True, slots=True)
class Read:
    """A piece of code, read for CodeBLEU."""

    tokens: Counted
    shape: TreeShape

    @property
    def broken(self) -> bool:
        """Not for comparison: it does not parse, or has no token but comments."""
        return self.shape.tree.broken or not self.tokens.tokens


def read(code: str, language: str) -> Read:
    found = shape(code, language)
    while language == "java" and found.tree.broken and _closes_too_much(code):
        # A completion also closes what the task's context has opened.
        code = code.rstrip()[:-1]
        found = shape(code, language)
    return Read(Counted(tuple(found.tokens)), found)


def _closes_too_much(code: str) -> bool:
    return code.rstrip().endswith("}") and code.count("}") > code.count("{")


@lru_cache(maxsize=16)
def _reference(code: str, language: str) -> Read:
    return read(code, language)


def standard(answer: str, references: Sequence[str], language: str) -> Surface:
    """All metrics for one answer; CodeBLEU is unknown where answer or reference does not parse."""
    bleu = texts.bleu_counts(answer, references)
    chrf = texts.chrf_counts(answer, references)
    if not answer.strip():
        return Surface(dict.fromkeys(NAMES, 0.0), {"bleu": bleu, "chrf": chrf})
    values: dict[str, float | None] = {
        "bleu": texts.bleu_score(bleu),
        "rouge_l": texts.rouge_l(answer, references),
        "meteor": texts.meteor(answer, references),
        "chrf": texts.chrf_score(chrf),
        **codebleu(answer, references, language),
        "exact": float(any(_lines(answer) == _lines(reference) for reference in references)),
    }
    return Surface(values, {"bleu": bleu, "chrf": chrf})


def _lines(code: str) -> list[str]:
    """Without white space at the end of lines and without blank lines."""
    return [line.rstrip() for line in code.splitlines() if line.strip()]


def codebleu(answer: str, references: Sequence[str], language: str) -> dict[str, float | None]:
    """Of the reference that fits best."""
    found = read(answer, language)
    scores = [
        _parts(found, known, language)
        for reference in references
        if not (known := _reference(reference, language)).broken
    ]
    if found.broken or not scores:
        return dict.fromkeys(("codebleu", *PARTS))
    return max(scores, key=lambda score: score["codebleu"] or 0.0)


def _parts(answer: Read, reference: Read, language: str) -> dict[str, float | None]:
    counts = ngrams.precision_counts(answer.tokens, [reference.tokens])
    weighted = ngrams.weighted_precision_counts(answer.tokens, reference.tokens, KEYWORDS[language])
    parts = {
        "codebleu_ngram": ngrams.sentence_score(counts),
        "codebleu_weighted": ngrams.sentence_score(weighted),
        "codebleu_syntax": syntax_overlap(answer.shape, reference.shape),
        "codebleu_dataflow": flow_overlap(answer.shape, reference.shape),
    }
    known = [part for part in parts.values() if part is not None]
    return {"codebleu": sum(known) / len(known), **parts}
