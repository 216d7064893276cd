"""Surface metrics as ODEX's and ExeDS' scripts compute them, per sample.

An empty answer gets 0 here, where ODEX' script divides by zero; its counts are kept, because a
corpus counts it. The published table's CodeBLEU was computed with every character of a reference
taken for a reference of its own: `characters` does that too.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from polyassay.measures.surface import ngrams, texts
from polyassay.measures.surface.ngrams import Counted
from polyassay.measures.surface.tokens import (
    EXEDS_KEYWORDS,
    KEYWORDS,
    exeds_tokens,
    mteval_tokens,
    odex_text,
    odex_tokens,
)
from polyassay.measures.surface.trees.comments import (
    without_java_comments,
    without_python_comments,
)
from polyassay.measures.surface.trees.match import (
    TreeShape,
    published_flow,
    published_syntax,
    shape,
)
from polyassay.measures.surface.values import Surface, mean_of_parts

ADDED_TO_TOTAL = 0.000001  # by ExeDS, to the number of a reference's edges


@dataclass(frozen=True)
class References:
    """One task's references, read once."""

    texts: tuple[str, ...]
    mteval: tuple[Counted, ...]
    tokens: tuple[Counted, ...]
    shapes: tuple[TreeShape, ...]


@lru_cache(maxsize=8)
def odex_references(references: tuple[str, ...], language: str, characters: bool) -> References:
    plain = tuple(odex_text(reference) for reference in references)
    pieces = tuple(references[0]) if characters else references
    return References(
        plain,
        tuple(Counted(tuple(mteval_tokens(text))) for text in plain),
        tuple(Counted(tuple(odex_tokens(piece))) for piece in pieces),
        tuple(shape(without_java_comments(piece), language, published=True) for piece in pieces),
    )


def odex(
    answer: str, references: Sequence[str], language: str, characters: bool = False
) -> Surface:
    """All of ODEX's metrics for one answer."""
    known = odex_references(tuple(references), language, characters)
    text = odex_text(answer)
    bleu = ngrams.precision_counts(Counted(tuple(mteval_tokens(text))), known.mteval)
    chrf = texts.chrf_counts(text, known.texts)
    code = codebleu(answer, references, language, characters)
    empty = not text.strip()
    values = {
        "bleu": ngrams.lin_och_score(bleu),
        "rouge_l": texts.rouge_l(text, known.texts),
        "meteor": 0.0 if empty else texts.meteor(text, known.texts),
        "chrf": texts.chrf_score(chrf),
        **code.values,
    }
    return Surface(values, {"bleu": bleu, "chrf": chrf, **code.counts})


def codebleu(
    answer: str, references: Sequence[str], language: str, characters: bool = False
) -> Surface:
    """ODEX's CodeBLEU and its four parts."""
    known = odex_references(tuple(references), language, characters)
    counts: dict[str, tuple[float, ...]] = {}
    tokens = Counted(tuple(odex_tokens(answer)))
    counts["codebleu_ngram"] = ngrams.precision_counts(tokens, known.tokens, floor=1)
    counts["codebleu_weighted"] = ngrams.recall_counts(tokens, known.tokens, KEYWORDS[language])
    for _ in known.shapes:  # each reference strips the answer once more
        stripped = without_java_comments(answer)
        if stripped == answer:
            break
        answer = stripped
    found = shape(answer, language, published=True)
    counts["codebleu_syntax"] = published_syntax(found, known.shapes)
    counts["codebleu_dataflow"] = published_flow(found, known.shapes)
    return Surface(codebleu_parts(counts), counts)


def codebleu_parts(counts: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """CodeBLEU and its four parts from one sample's counts or from sums: ODEX's rules."""
    parts = {
        "codebleu_ngram": ngrams.nltk_score(tuple(counts["codebleu_ngram"]), "add_one"),
        "codebleu_weighted": ngrams.nltk_score(tuple(counts["codebleu_weighted"]), "epsilon"),
        "codebleu_syntax": _share(counts["codebleu_syntax"]),
        "codebleu_dataflow": _share(counts["codebleu_dataflow"]),
    }
    return {"codebleu": mean_of_parts(parts), **parts}


def _share(pair: Sequence[float]) -> float:
    return pair[0] / pair[1] if pair[1] else 0.0


@lru_cache(maxsize=8)
def _exeds_reference(reference: str) -> tuple[Counted, TreeShape]:
    return Counted(tuple(exeds_tokens(reference))), _exeds_shape(reference)


def _exeds_shape(code: str) -> TreeShape:
    return shape(without_python_comments(code), "python", published=True)


def exeds(answer: str, references: Sequence[str]) -> Surface:
    """ExeDS' exact match and CodeBLEU for one answer; it has one reference."""
    reference = references[0]
    known, known_shape = _exeds_reference(reference)
    tokens, found = Counted(tuple(exeds_tokens(answer))), _exeds_shape(answer)
    counts = {
        "codebleu_ngram": ngrams.precision_counts(tokens, [known], floor=1),
        "codebleu_weighted": ngrams.recall_counts(tokens, [known], EXEDS_KEYWORDS),
        "codebleu_syntax": published_syntax(found, [known_shape]),
        "codebleu_dataflow": published_flow(found, [known_shape]),
    }
    exact = {
        "exact": float(answer == reference),
        "exact_split": float(answer.split() == reference.split()),
    }
    return Surface({**exact, **exeds_parts(counts)}, counts)


def exeds_parts(counts: Mapping[str, Sequence[float]]) -> dict[str, float]:
    matches, total = counts["codebleu_dataflow"]
    parts = {
        "codebleu_ngram": ngrams.nltk_score(tuple(counts["codebleu_ngram"]), "epsilon"),
        "codebleu_weighted": ngrams.nltk_score(tuple(counts["codebleu_weighted"]), "epsilon"),
        "codebleu_syntax": _share(counts["codebleu_syntax"]),
        "codebleu_dataflow": matches / (total + ADDED_TO_TOTAL),
    }
    return {"codebleu": mean_of_parts(parts), **parts}


def exeds_keeps(answer: str) -> bool:
    """Whether ExeDS' script counts it at all: it drops what is empty, all spaces or all dots."""
    return bool(answer.replace(" ", "")) and bool(answer.replace(".", ""))


def exeds_run_bleu(equal: int, samples: int) -> float:
    """What ExeDS' run.py calls BLEU: every snippet is one token, so only equal ones count."""
    return 100.0 * math.sqrt(math.sqrt((equal + 1) / (samples + 1)))
