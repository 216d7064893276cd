"""What was measured of answers: kept by rules and version, and replaced by newer versions."""

from made import make_run, make_task, make_verdict
from polyassay.store import Store
from polyassay.store.measured import Measured, MeasuredAnswers

TASKS = [make_task("a"), make_task("b")]
VERDICTS = [make_verdict("a", 2), make_verdict("b", 1)]
A, B = (verdict.candidate for verdict in VERDICTS)
HOSTILE = {"values": {"bleu": 0.1 + 0.2}, "notes": ["\0 \ud800 \U0001f40d"]}


def test_what_was_measured_comes_back_in_the_order_of_its_answers(store: Store) -> None:
    run = make_run(store, TASKS, VERDICTS).id
    measured = MeasuredAnswers(store)
    measured.save(run, "standard", "1", [Measured(B, {"values": {}}), Measured(A, HOSTILE)])
    assert list(measured.all(run, "standard")) == [
        Measured(A, HOSTILE),
        Measured(B, {"values": {}}),
    ]
    assert list(measured.all(run, "published")) == []
    assert measured.rules(run) == ["standard"]


def test_a_newer_version_replaces_what_it_measures_and_nothing_else(store: Store) -> None:
    run, other = (make_run(store, TASKS, VERDICTS).id for _ in range(2))
    measured = MeasuredAnswers(store)
    old, new = {"values": {"bleu": 0.5}}, {"values": {"bleu": 0.75}}
    for one in (run, other):
        measured.save(one, "standard", "1", [Measured(A, old), Measured(B, old)])
    measured.save(run, "published", "1", [Measured(A, old)])
    assert measured.known(run, "standard", "1") == {A, B}
    measured.save(run, "standard", "2", [Measured(A, new)])
    assert measured.known(run, "standard", "2") == {A}
    assert measured.known(run, "standard", "1") == {B}
    assert list(measured.all(run, "standard")) == [Measured(A, new), Measured(B, old)]
    assert list(measured.all(run, "published")) == [Measured(A, old)]
    assert measured.known(other, "standard", "1") == {A, B}
