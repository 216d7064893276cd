"""Which graders can be trusted: severity, drift, steadiness, haste, and models against people."""

import random
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from polyassay.model import CandidateKey
from polyassay.report.grading.graders import (
    agreement_json,
    graders_json,
    graders_table,
    models_lines,
    talk_lines,
    times_table,
)
from polyassay.report.tables import Amount
from polyassay.rubric import rubrics
from polyassay.rubric.agreement import ratings
from polyassay.rubric.figures.agreeing import agreement_of, weighted_kappa
from polyassay.rubric.figures.graders import GraderFigures, grader_figures
from polyassay.rubric.figures.models import model_figures, spearman
from polyassay.rubric.figures.times import Looked, looks, too_fast, usual_seconds
from polyassay.rubric.preference.choices import Preference
from polyassay.rubric.sheets import Score
from polyassay.statistics.jackknife import jackknife
from polyassay.store.graders import Calibration, calibration_key
from polyassay.store.preferences import Choice
from polyassay.store.scores import Event, EventKind

RUBRIC = rubrics.load("aixbench")
MAINTAINABILITY = RUBRIC.dimensions[2]
NAME = "maintainability"


def key(task: int, tool: str = "finch") -> CandidateKey:
    return CandidateKey("manual", f"t{task}", tool, "en", 0)


def points(value: float) -> int:
    return min(5, max(1, round(value)))


def scored(
    grader: str, shift: float = 0.0, noise: float = 0.4, tasks: int = 60, showing: int = 0
) -> list[Score]:
    truth = random.Random("truth")
    own = random.Random(f"{grader}{showing}")
    return [
        Score(
            key(t),
            grader,
            NAME,
            points(truth.gauss(3, 1) + shift + own.gauss(0, noise)),
            showing=showing,
        )
        for t in range(tasks)
    ]


KNOWN = [
    Calibration(calibration_key("manual", "t0", "en", n), "x", {NAME: 2 + n % 3}) for n in range(12)
]


def calibrated(grader: str, at_first: int, later: int) -> list[Score]:
    return [
        Score(item.key, grader, NAME, item.scores[NAME] + shift, showing=showing)
        for item in KNOWN
        for showing, shift in ((0, at_first), (1, later))
    ]


def figures(
    scores: list[Score], known: list[Score] | None = None, looked: dict | None = None
) -> dict[str, GraderFigures]:
    found = grader_figures(RUBRIC, scores, known or [], KNOWN, looked or {})
    return {one.grader: one for one in found}


class TestAgreement:
    given = ratings([*scored("ann"), *scored("bob"), *scored("cid", noise=2)], NAME)

    def test_figures_equal_krippendorff_and_scikit_learn(self) -> None:
        found = agreement_of(self.given, MAINTAINABILITY)
        table = [[of[k] for k in sorted(of)] for of in self.given.values()]
        expected = krippendorff.alpha(
            np.array(table, float), level_of_measurement="ordinal", value_domain=[1, 2, 3, 4, 5]
        )
        assert found.alpha.value == pytest.approx(expected)
        for (a, b), pair in found.pairs.items():
            one, two = ([self.given[g][k] for k in sorted(self.given[g])] for g in (a, b))
            kappa = cohen_kappa_score(one, two, weights="quadratic", labels=[1, 2, 3, 4, 5])
            assert pair.kappa.value == pytest.approx(kappa)
            same = np.mean(np.array(one) == np.array(two))
            assert pair.same.value == pytest.approx(same)
        good, bad = found.pairs["ann", "bob"].kappa, found.pairs["ann", "cid"].kappa
        assert good.interval and bad.interval and good.interval.low > bad.interval.high
        assert agreement_json({NAME: found})[NAME]["pairs"]["ann,bob"]["kappa"]["n"] == 60

    def test_nothing_is_defined_where_nothing_varies_or_nothing_is_shared(self) -> None:
        assert weighted_kappa([2, 2], [2, 2]) is None and weighted_kappa([], []) is None
        alone = agreement_of({"ann": {key(0): 1}}, MAINTAINABILITY)
        assert (alone.alpha.value, alone.same.value, alone.pairs) == (None, None, {})

    def test_a_jackknife_of_a_mean_is_the_t_interval(self) -> None:
        values = dict(enumerate([1.0, 0.2, 0.5, 0.9, 0.4, 0.6, 0.1, 0.8]))
        mean: Callable = lambda keys: sum(values[k] for k in keys) / len(keys)  # noqa: E731
        found = jackknife(mean, list(values))
        half = 2.364624 * np.std(list(values.values()), ddof=1) / 8**0.5
        assert found and found.high - found.low == pytest.approx(2 * half, rel=1e-5)
        assert jackknife(mean, [0, 1]) is None
        assert jackknife(lambda keys: None, list(values)) is None
        assert jackknife(lambda keys: 1.0 if len(keys) == 8 else None, list(values)) is None


class TestGraders:
    def test_a_strict_grader_is_named_and_the_others_are_not(self) -> None:
        found = figures([*scored("ann"), *scored("bob", -1.2), *scored("cid"), *scored("dee")])
        assert found["bob"].severity[NAME].value < -0.7
        assert found["bob"].severity[NAME].interval.high < 0
        why = found["bob"].talk[0]
        assert why.startswith("scores maintainability 0.9") and "lower than the others" in why
        assert not found["ann"].talk and found["ann"].scores[NAME] == 60
        lines = talk_lines(list(found.values()))
        assert len(lines) == 1 and lines[0].startswith("Talk to bob: scores")

    def test_drift_is_found_by_calibration(self) -> None:
        found = figures(
            [*scored("ann"), *scored("bob")],
            [*calibrated("ann", 0, -1), *calibrated("bob", 1, 1)],
        )
        assert found["ann"].drift[NAME].value == -1
        assert found["ann"].talk == (
            "scores maintainability 1.0 points lower than at the first calibration",
        )
        assert found["bob"].drift[NAME].value == 0
        assert found["bob"].talk == (
            "scores maintainability 1.0 points higher than the known scores at calibration",
        )
        few = figures(scored("ann"), calibrated("ann", 0, -1)[:4])
        assert not few["ann"].drift and not few["ann"].talk

    def test_a_careless_grader_is_found_by_repeats_agreement_and_haste(self) -> None:
        chance = random.Random(1)
        careless = [Score(key(t), "cid", NAME, chance.randint(1, 5)) for t in range(60)]
        again = [Score(key(t), "cid", NAME, chance.randint(1, 5), showing=1) for t in range(20)]
        fast = [Looked((key(t), 0), t, 1.5) for t in range(60)]
        slow = [Looked((key(t), 0), t, 30.0 + t) for t in range(60)]
        found = figures(
            [*scored("ann"), *scored("bob"), *careless, *again],
            looked={"ann": slow, "bob": slow, "cid": fast},
        )
        told = "; ".join(found["cid"].talk)
        assert "of 20 repeats the same maintainability again" in told
        assert "agrees less with the others in maintainability than they do (kappa " in told
        assert "took 60 of 60 items too fast to read, where 60 s are usual" in told
        assert not found["ann"].talk and found["ann"].seconds == 59.5
        table = times_table(list(found.values()))
        assert [row[-1] for row in table.rows] == [0, 0, 60]
        whole = graders_table(list(found.values()), RUBRIC)
        assert len(whole.rows) == 9 and whole.notes[0].startswith("Talk to cid")

    @pytest.mark.parametrize("known", [[], calibrated("ann", 0, 1)], ids=["without", "with"])
    def test_every_figure_stands_under_its_heading(self, known: list[Score]) -> None:
        again = scored("ann", tasks=20, showing=1)
        looked = {"ann": [Looked((key(t), 0), t, 30.0) for t in range(60)]}
        found = figures([*scored("ann"), *scored("bob", shift=-1), *again], known, looked)["ann"]
        table = graders_table([found], RUBRIC)
        assert all(len(row) == len(table.columns) for row in table.rows)
        cells = dict(zip(table.columns, table.rows[2], strict=True))
        assert (cells["grader"], cells["dimension"], cells["scores"]) == ("ann", NAME, 60)
        shifts = {
            "severity": found.severity,
            "calibration": found.calibration,
            "drift": found.drift,
            "over time": found.over_time,
        }
        for heading, of in shifts.items():
            cell = cells[heading]
            assert (cell.value if isinstance(cell, Amount) else None) == (
                of[NAME].value if NAME in of else None
            )
        assert isinstance(cells["severity"], Amount) and isinstance(cells["over time"], Amount)
        assert isinstance(cells["drift"], Amount) == bool(known)
        assert str(cells["again"]).endswith("% of 20") and str(cells["kappa"]).endswith("of 60")

    def test_drift_is_found_against_the_others_over_a_session(self) -> None:
        drifting = [
            Score(s.key, "bob", NAME, max(1, s.score - (n > 30) - (n > 50)))
            for n, s in enumerate(scored("bob", tasks=90, noise=0.2))
        ]
        looked = {"bob": [Looked((s.key, 0), n, 30.0) for n, s in enumerate(drifting)]}
        found = figures(
            [*scored("ann", tasks=90), *drifting, *scored("cid", tasks=90)], looked=looked
        )
        assert found["bob"].over_time[NAME].value < -1.5
        assert "lower at the end than at the beginning" in "; ".join(found["bob"].talk)

    def test_a_grader_who_half_guesses_is_found_by_agreeing_less(self) -> None:
        chance = random.Random(3)
        half = [
            Score(s.key, "cid", NAME, chance.randint(1, 5) if n % 2 else s.score)
            for n, s in enumerate(scored("cid"))
        ]
        found = figures([*scored("ann"), *scored("bob"), *scored("dee"), *half])
        kappa = found["cid"].kappa[NAME]
        assert kappa.value and kappa.value > 0.2 and kappa.interval
        (why,) = found["cid"].talk
        assert why.startswith("agrees less with the others in maintainability")
        assert not found["dee"].talk

    def test_of_two_graders_neither_agrees_less_than_the_other(self) -> None:
        chance = random.Random(5)
        guessed = [Score(key(t), "cid", NAME, chance.randint(1, 5)) for t in range(60)]
        found = figures([*scored("ann"), *guessed])
        for one in found.values():
            (why,) = (told for told in one.talk if "agree" in told)
            assert why.startswith("hardly agrees with anybody in maintainability (kappa ")

    def test_equal_graders_are_left_alone(self) -> None:
        names = [f"g{n}" for n in range(6)]
        found = figures([score for name in names for score in scored(name)])
        assert all(not one.talk for one in found.values())
        assert talk_lines(list(found.values())) == ["Nobody needs a talk."]


class TestTimes:
    def event(self, number: int, task: int, seconds: float | None, **more: Any) -> Event:
        at = f"2026-01-01T10:{number:02}:00+00:00"
        fields: dict[str, Any] = {
            "dimension": NAME,
            "score": 3,
            "session": "g1",
            "seconds": seconds,
        }
        return Event(
            EventKind.SCORE, "ann", "aixbench", key(task), at=at, id=number, **fields | more
        )

    def test_the_time_of_an_item_is_its_last_score_or_the_gap(self) -> None:
        events = [
            self.event(1, 0, 4.0),
            self.event(2, 0, 9.0, dimension="quality"),
            self.event(3, 1, None),  # an older store: a minute since the last
            self.event(10, 2, None),  # seven minutes: away
            self.event(11, 3, 5.0, session=None),  # imported
        ]
        (found,) = looks(events).values()
        assert [(one.order, one.seconds) for one in found] == [(0, 9.0), (1, 60.0), (2, None)]

    def test_too_fast_is_a_quarter_of_the_usual_or_three_seconds(self) -> None:
        looked = [Looked((key(n), 0), n, seconds) for n, seconds in enumerate((2.0, 9.0, 40.0))]
        looked.append(Looked((key(9), 0), 9, None))
        assert usual_seconds([looked, looked[1:]]) == pytest.approx((9 + 24.5) / 2)
        assert [one.order for one in too_fast(looked, 40.0)] == [0, 1]
        assert [one.order for one in too_fast(looked, None)] == [0]
        assert usual_seconds([]) is None


class TestModels:
    def test_a_model_that_likes_long_answers_is_found_out(self) -> None:
        people = [*scored("ann"), *scored("bob")]
        mean = {s.key: s.score for s in scored("ann")}
        codes = {key(t): "x" * (10 + 10 * (t % 30)) for t in range(60)}
        model = [
            Score(k, "judge", NAME, points(mean[k] + 0.07 * (len(codes[k]) - 150) / 10))
            for k in mean
        ]
        prefers = [
            Preference(
                key(t, ("finch", "heron")[t % 2]),
                key(t, ("heron", "finch")[t % 2]),
                g,
                "",
                Choice.A_BETTER if t % 3 else Choice.TIE,
            )
            for t in range(30)
            for g in ("ann", "judge")
        ]
        ours = [p for p in prefers if p.grader == "ann"]
        theirs = [p for p in prefers if p.grader == "judge"]
        facts = {"model": "m-1"}
        found = model_figures("judge", facts, RUBRIC, (people, model), (ours, theirs), codes)
        of = found.scores[NAME]
        assert of.by_length.interval and of.by_length.interval.low > 0.4
        assert of.kappa.value and of.kappa.value < 0.9 and of.severity and of.same.n == 60
        assert found.choices and found.choices.value == 1.0 and found.choices.n == 30
        assert found.leaning and found.leaning.odds > 1  # always the left one
        value = graders_json([], [found])["models"]["judge"]
        assert value["facts"] == facts and value["position"]["repeats"] == 0
        lines = models_lines([found])
        assert lines[0] == "judge (m-1) is a model, held against people:"
        assert any("It leans to the left" in str(line) for line in lines)

    def test_too_little_in_common_says_nothing(self) -> None:
        few = scored("ann", tasks=3)
        found = model_figures("j", {}, RUBRIC, (few, scored("j", tasks=3)), ([], []), {})
        assert found.scores == {} and found.choices is None and found.leaning is None
        assert models_lines([found]) == ["j is a model, held against people:"]
        assert spearman([1, 1], [1, 2]) is None
