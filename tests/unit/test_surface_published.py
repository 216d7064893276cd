"""The published flavour against what the publishers' own code said of the same samples."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from polyassay.measures.surface import corpus, published
from polyassay.measures.surface.values import Surface

EXACT = 1e-9
PAIRS = {"bleu": "bleu", "rouge_l": "rougeLsum", "chrf": "chrf"}
PARTS = ("ngram", "weighted", "syntax", "dataflow")


Row = dict[str, Any]


@dataclass(frozen=True)
class Data:
    texts: dict[str, Row]
    surfaces: dict[str, Surface]  # by ODEX's rules
    samples: list[Row]
    corpora: list[Row]
    exeds: list[Row]


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Data:
    def lines(name: str) -> list[Row]:
        file = shared_data / "odex-metrics" / name
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    texts = {row["id"]: row for row in lines("predictions.jsonl")}
    expected = lines("expected_metrics.jsonl")
    return Data(
        texts,
        {
            name: published.odex(row["prediction"], [row["reference"]], "python")
            for name, row in texts.items()
        },
        [row for row in expected if row["scope"] == "sample"],
        [row for row in expected if row["scope"] == "corpus"],
        lines("expected_exeds.jsonl"),
    )


def test_every_sample_has_odexs_value(data: Data) -> None:
    assert len(data.samples) == len(data.surfaces) == 846
    for row in data.samples:
        values = data.surfaces[row["id"]].values
        for ours, theirs in PAIRS.items():
            if isinstance(row[theirs], str):  # the published code divides by zero
                assert values[ours] == 0.0
            else:
                assert values[ours] == pytest.approx(row[theirs], abs=EXACT), row["id"]
        for part in PARTS[:2]:
            wanted = row["codebleu_parts"][part]
            assert values[f"codebleu_{part}"] == pytest.approx(wanted, abs=EXACT), row["id"]


def test_meteor_differs_in_at_most_one_of_two_hundred(data: Data) -> None:
    """By synonyms alone, and by little: only a few are known without WordNet."""
    differences = [
        abs((data.surfaces[row["id"]].values["meteor"] or 0.0) - row["meteor"])
        for row in data.samples
    ]
    assert sum(difference > EXACT for difference in differences) <= len(differences) / 200
    assert max(differences) < 0.05


@pytest.mark.parametrize(
    ("part", "share", "mean"), [("syntax", 0.3, 0.02), ("dataflow", 0.03, 0.01)]
)
def test_trees_differ_by_the_grammars_age_alone(
    data: Data, part: str, share: float, mean: float
) -> None:
    differences = [
        abs((values[f"codebleu_{part}"] or 0.0) - row["codebleu_parts"][part])
        for row in data.samples
        for values in [data.surfaces[row["id"]].values]
    ]
    assert sum(difference > EXACT for difference in differences) < share * len(differences)
    assert sum(differences) / len(differences) < mean


def test_every_corpus_row_has_odexs_value(data: Data) -> None:
    assert len(data.corpora) > 20
    for row in data.corpora:
        scope, _, value = row["id"].partition(":")
        field = {"lang": "language", "kind": "kind"}.get(scope, "")
        names = [name for name, told in data.texts.items() if not field or told[field] == value]
        chosen = [data.surfaces[name] for name in names]
        assert len(chosen) == row["n"]
        found, micro = corpus.corpus(chosen, "published"), corpus.micro_codebleu(chosen)
        assert found["rouge_l"] == pytest.approx(row["rougeLsum_mean"], abs=EXACT)
        assert found["meteor"] == pytest.approx(row["meteor"], abs=0.001)
        assert found["chrf"] == pytest.approx(row["chrf"], abs=EXACT)
        bleu = 0.0 if isinstance(row["bleu"], str) else row["bleu"]
        assert found["bleu"] == pytest.approx(bleu, abs=EXACT)
        for part in PARTS[:2]:
            wanted = row["codebleu_micro_parts"][part]
            assert micro[f"codebleu_{part}"] == pytest.approx(wanted, abs=EXACT)
        assert found["codebleu"] == pytest.approx(row["codebleu_macro"], abs=0.02)


def test_the_published_defect_takes_characters_for_references(data: Data) -> None:
    name = "codebleu_as_eval_nonex_calls_it"
    rows = [row for row in data.samples if name in row]
    assert len(rows) > 50
    differences = []
    for row in rows:
        told, right = data.texts[row["id"]], data.surfaces[row["id"]]
        reference = [told["reference"]]
        found = published.odex(told["prediction"], reference, "python", characters=True).values
        differences.append(abs((found["codebleu"] or 0.0) - row[name]))
        if told["kind"] == "reference":
            assert (found["codebleu"] or 0.0) < 0.2 < (right.values["codebleu"] or 0.0)
    assert sum(d > EXACT for d in differences) < 0.15 * len(rows)
    assert max(differences) < 0.03


def test_exeds_values(data: Data) -> None:
    names = {"codebleu_ngram": "NgramM", "codebleu_weighted": "WNgramM"}
    trees = {"codebleu_syntax": "SynM", "codebleu_dataflow": "DFM"}
    rows, texts = data.exeds, data.texts
    kept, equal, differing = [], 0, 0
    for row in (row for row in rows if row["scope"] == "sample"):
        prediction = texts[row["id"]]["prediction"]
        found = published.exeds(prediction, [texts[row["id"]]["reference"]])
        assert found.values["exact"] == row["EM"]
        assert found.values["exact_split"] == row["EM_split"]
        for ours, theirs in names.items():
            value = found.values[ours] or 0.0
            assert round(100 * value, 2) == pytest.approx(row["codebleu"][theirs], abs=EXACT)
        differing += any(
            abs(100 * (found.values[ours] or 0.0) - row["codebleu"][theirs]) > 0.006
            for ours, theirs in trees.items()
        )
        if published.exeds_keeps(prediction):
            kept.append(found)
            equal += found.values["exact"] == 1.0
    (corpus_row,) = (row for row in rows if row["scope"] == "corpus")
    assert len(kept) == corpus_row["n"]
    assert differing < 0.25 * corpus_row["n_before"]
    micro = corpus.micro_codebleu(kept, "exeds")
    for ours, theirs in names.items():
        assert round(100 * micro[ours], 2) == corpus_row["codebleu"][theirs]
    for ours, theirs in trees.items():
        assert 100 * micro[ours] == pytest.approx(corpus_row["codebleu"][theirs], abs=1.0)
    assert round(published.exeds_run_bleu(equal, len(kept)), 2) == corpus_row["run_py_bleu"]
