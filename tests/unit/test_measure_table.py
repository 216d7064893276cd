"""A measure is one row; everything that shows figures goes through the table."""

import json
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict, scores_of
from measured import TASKS, answers, call
from polyassay.errors import PolyAssayError
from polyassay.measures.comparing.sentences import summary
from polyassay.measures.comparing.two import Answer, compare
from polyassay.measures.scores import score
from polyassay.measures.table import MEASURES, Measure, Of, Scale, measure, recorded, usual
from polyassay.measures.units import with_values
from polyassay.model import CandidateKey, Outcome
from polyassay.store import Store

TOY = Measure(
    "effort",
    "effort",
    Of.SAMPLE,
    lambda sample: float(sample.tests[0]),
    "spends {much} more",
    more_is_better=False,
    scale=Scale(high=None, unit="h"),
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Measure:
    monkeypatch.setitem(MEASURES, "effort", TOY)
    return TOY


def test_a_row_is_enough_to_score_compare_rank_and_gate(
    tmp_path: Path, two_tools: str, toy: Measure
) -> None:
    shown = call(tmp_path, "score", "latest", "--measure", "effort").stdout
    assert "effort" in shown and "1.75 h" in shown
    value = json.loads(
        call(
            tmp_path, "compare", "latest", "finch", "heron", "--measure", "effort", "--json"
        ).stdout
    )
    assert value["metrics"]["effort"]["answer"] == "worse"  # less is better, and heron has more
    assert "finch is better: heron spends 0.50 h more than finch" in value["sentence"]
    boards = json.loads(call(tmp_path, "leaderboard", "--measure", "effort", "--json").stdout)
    assert [tool["tool"] for tool in boards["boards"][0]["tools"]] == ["finch", "heron"]
    gate = call(tmp_path, "score", "latest", "--fail-under", "effort=1.5")
    assert gate.exit_code == 100
    assert "Under effort 1.5: heron." in gate.stderr


def test_what_is_unknown_stays_unknown_and_is_never_0() -> None:
    verdicts = [make_verdict(str(i), 2, tool=t) for i in range(8) for t in ("finch", "heron")]
    key = CandidateKey("s", "3", "heron", "en", 0)
    scores = with_values(
        scores_of(verdicts, [make_task(str(i)) for i in range(8)]), {key: {"x": 4}}
    )
    row = Measure("x", "x", Of.SAMPLE, recorded("x"), "has {much} more", scale=Scale(high=None))
    known, unknown = score(scores["heron"], [row])["x"], score(scores["finch"], [row])["x"]
    assert (known.value, known.known) == (4.0, 1)
    assert (unknown.value, unknown.interval, unknown.known) == (None, None, 0)


def test_a_comparison_by_what_nobody_knows_is_refused(
    tmp_path: Path, two_tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Measure("x", "x", Of.SAMPLE, recorded("x"), "has {much} more")
    monkeypatch.setitem(MEASURES, "x", row)
    with pytest.raises(PolyAssayError, match="x is not known of any task of both tools"):
        call(tmp_path, "compare", "latest", "finch", "heron", "--measure", "x")
    value = json.loads(call(tmp_path, "score", "latest", "--measure", "x", "--json").stdout)
    assert "x" not in value["tools"]["heron"]


def test_a_measure_of_a_tool_has_no_interval_and_is_not_tested(
    tmp_path: Path, two_tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Measure("units", "units", Of.TOOL, len, "has {much} more", scale=Scale(high=None))
    monkeypatch.setitem(MEASURES, "units", row)
    value = json.loads(call(tmp_path, "score", "latest", "--measure", "units", "--json").stdout)
    assert value["tools"]["heron"]["units"] == 40
    assert "units" not in value["tools"]["heron"]["intervals"]
    with pytest.raises(PolyAssayError, match="is of a whole tool"):
        call(tmp_path, "compare", "latest", "finch", "heron", "--measure", "units")


def test_an_unknown_name_is_refused_with_what_there_is(tmp_path: Path, two_tools: str) -> None:
    with pytest.raises(PolyAssayError, match='no measure "avg_pas_ratio"') as refusal:
        call(tmp_path, "compare", "latest", "finch", "heron", "--measure", "avg_pas_ratio")
    assert 'did you mean "avg_pass_ratio"?' in refusal.value.hint
    with pytest.raises(PolyAssayError, match='no measure "qqqqqqqq"') as refusal:
        call(tmp_path, "compare", "latest", "finch", "heron", "--measure", "qqqqqqqq")
    assert "pass@K" in refusal.value.hint


def test_the_table_has_pass_at_k_then_what_was_asked_for_then_the_rest() -> None:
    names = [row.name for row in usual([1, 5], ["pass^2"])]
    shown = ["avg_pass_ratio", "output_em", "f1", "ran", "shown_tests"]
    assert names == ["pass@1", "pass@5", "pass^2", *shown]


def test_pass_hat_k_and_reliability_are_paired_like_the_rest() -> None:
    tasks = [make_task(str(i)) for i in range(30)]
    verdicts = []
    for i in range(30):
        for n in range(4):
            verdicts.append(make_verdict(str(i), 2 * (n % 2), tool="finch", sample=n))
            verdicts.append(make_verdict(str(i), 2 * (i % 2), tool="heron", sample=n))
    scores = scores_of(verdicts, tasks)
    sides = [(tool, scores[tool]) for tool in ("finch", "heron")]
    found = compare(sides[0], sides[1], besides=["pass^2", "reliability"])
    assert found.metrics["pass@1"].difference == pytest.approx(0)
    hat = found.metrics["pass^2"]
    assert [hat.a, hat.b] == pytest.approx([1 / 6, 0.5])  # C(2,2)/C(4,2); all or none
    assert hat.answer is Answer.BETTER
    assert "solves 33.3 points more every time in 2 tries" in summary(found, "pass^2")[0]
    assert found.metrics["reliability"].b == 1.0
    assert found.metrics["reliability"].a == pytest.approx(1 / 3)


def test_an_unanswered_unit_is_a_failure_but_has_no_length() -> None:
    row = measure("pass@1")
    (units,) = scores_of(
        [make_verdict("a", 0, outcome=Outcome.HARNESS_ERROR)], [make_task("a")]
    ).values()
    assert row.of_unit(units[0]) is None


def test_the_report_takes_its_figures_from_the_table(tmp_path: Path, store: Store) -> None:
    make_run(store, TASKS, answers("finch", range(10)) + answers("heron", range(30)))
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    assert "heron is better" in (tmp_path / "site" / "index.html").read_text()
