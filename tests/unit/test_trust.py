"""What is known about a suite's tests, and what scores and comparisons say of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from made import make_run, make_task, make_verdict, set_verdict
from measured import TASKS, answers, call
from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Language, Outcome, Style, Suite, Test
from polyassay.report.trust.card import TrustCard, told_by_test
from polyassay.report.trust.history import history
from polyassay.rubric.rubrics import load
from polyassay.store import Store
from polyassay.store.scores import Event, EventKind, Scores
from polyassay.trust.checks import Check
from polyassay.trust.flakes import Flake, FlakeCheck, _counted
from polyassay.trust.kept import Kept, keep, kept
from polyassay.trust.mutants.draw import Drawn
from polyassay.trust.mutation import MutationCheck, TaskMutants, _judged

CHECK = Check(40, 39, failing={"1": "failed: …"}, weak=("2", "3"), not_runnable=("4",))
FLAKES = FlakeCheck(5, True, 80, {"7": {"test_0": Flake(3, 5)}})
MUTANTS = MutationCheck(
    0,
    4,
    {
        "5": TaskMutants(1, 4, ("line 1, call: f() → pass",) * 3),
        "6": TaskMutants(4, 4),
        "8": TaskMutants(0, 3, ("a", "b", "c")),  # too few to say that its tests are weak
    },
    equivalent=2,
)


def keep_all(home: Path, checksum: str) -> None:
    for found in (CHECK, FLAKES, MUTANTS):
        keep(home, checksum, found)


@pytest.fixture
def checked(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> Suite:
    verdicts = answers("finch", range(10)) + answers("heron", range(30))
    run = make_run(store, TASKS, verdicts)
    monkeypatch.chdir(tmp_path)
    (suite,) = store.suites(run).values()
    keep_all(tmp_path / ".polyassay", suite.checksum)
    return suite


def test_what_was_found_is_kept_whole(tmp_path: Path) -> None:
    assert kept(tmp_path, "0") == Kept()
    keep_all(tmp_path, "0")
    keep(tmp_path, "0", replace(MUTANTS, seed=1, tasks={"6": TaskMutants(1, 1)}))
    keep(tmp_path, "0", MUTANTS)  # in place of the first
    found = kept(tmp_path, "0")
    assert found.check == CHECK and found.flakes == FLAKES
    assert [each.seed for each in found.mutants] == [1, 0]
    assert found.best_mutants == MUTANTS
    assert found.weak == {"2", "3", "5"}
    assert kept(tmp_path, "1") == Kept()


def test_the_share_that_is_caught_has_an_interval() -> None:
    assert (MUTANTS.caught, MUTANTS.of, MUTANTS.weak) == (5, 11, ("5",))
    assert MUTANTS.share == pytest.approx(5 / 11)
    assert MUTANTS.interval is not None
    assert 0 <= MUTANTS.interval.low < 5 / 11 < MUTANTS.interval.high <= 1
    nothing = MutationCheck(0, 3, {})
    assert nothing.share is None and nothing.interval is None


def test_what_a_score_stands_on(tmp_path: Path, checked: Suite) -> None:
    shown = call(tmp_path, "score", "latest").stdout
    assert "Weak tests (an empty answer passes): 2 tasks" in shown
    assert "Weak tests (most mutants of the reference pass): 1 task; Flaky: 1 task" in shown
    assert "3 of 40 tasks have weak tests; without them: heron is better, it solves" in shown
    value = json.loads(call(tmp_path, "score", "latest", "--without-weak", "--json").stdout)
    assert value["tools"]["heron"]["tasks"] == 37
    shown = call(tmp_path, "score", "latest", "--without-weak").stdout
    assert "Left out: 3 tasks with weak tests." in shown
    assert "without them" not in shown


def test_what_a_comparison_stands_on(tmp_path: Path, checked: Suite) -> None:
    shown = call(tmp_path, "compare", "latest", "finch", "heron").stdout
    assert "3 of 40 tasks have weak tests; without them: heron is better" in shown
    value = json.loads(call(tmp_path, "compare", "latest", "finch", "heron", "--json").stdout)
    assert (value["weak"]["tasks"], value["weak"]["of"]) == (3, 40)
    assert value["weak"]["without"]["pass@1"]["answer"] == "better"
    rest = call(tmp_path, "compare", "latest", "finch", "heron", "--without-weak", "--json")
    value = json.loads(rest.stdout)
    assert value["tasks"] == 37 and "weak" not in value


def test_without_weak_tasks_nothing_may_remain(tmp_path: Path, checked: Suite) -> None:
    everything = tuple(task.id for task in checked.tasks)
    keep(tmp_path / ".polyassay", checked.checksum, replace(CHECK, weak=everything))
    shown = call(tmp_path, "compare", "latest", "finch", "heron").stdout
    assert "40 of 40 tasks have weak tests, and without them nothing remains." in shown
    with pytest.raises(PolyAssayError, match="have weak tests"):
        call(tmp_path, "score", "latest", "--without-weak")


def test_the_report_has_the_card(tmp_path: Path, checked: Suite) -> None:
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "page"))
    page = (tmp_path / "page" / "index.html").read_text()
    assert "How far the tests can be trusted" in page
    assert "39 of 40 pass" in page and "5 of 11 caught, 45.5 %" in page
    assert "3 of 40 tasks have weak tests" in page


def test_the_card_tells_all_that_is_known(store: Store, checked: Suite) -> None:
    shows = make_task("9", tests=0, prompts={"en": "As in\n  f(1) ==  2"})
    shows = replace(shows, tests=(Test("test_0", "assert f(1) == 2"),))
    suite = replace(checked, tasks=(*checked.tasks, shows), licence="MIT", canary="c-1")
    card = TrustCard(suite, Kept(CHECK, FLAKES, (MUTANTS,)), history(store, checked))
    told = dict(card.lines())
    assert told["references"] == "39 of 40 pass; 1 task without one"
    assert told["empty answers"] == "2 tasks pass with one"
    assert told["mutants"].startswith("5 of 11 caught, 45.5 % (95 %: ")
    assert told["flaky tests"] == ("1 of 80 in 5 repetitions under load: 7 test_0 passed 3 of 5")
    assert told["weak tasks"] == "3 of 41: 2, 3, 5"
    assert told["prompts with tests"] == "1 task: 9"
    assert (told["licence"], told["canary"]) == ("MIT", "c-1")
    assert told["runs in the store"] == "1 run, 80 answers of 2 tools"
    assert told["  failed by none"] == "50 tests"  # test_0 of all, test_1 of ten
    assert told["  failed by all"].startswith("10 tests: 30 test_1")
    assert told["  same for all tools"] == "20 tasks"
    value = card.as_json()
    assert value["references"] == {"passed": 39, "of": 40}
    assert value["flaky"]["tests"] == {"7": {"test_0": [3, 5]}}
    assert value["weak"] == ["2", "3", "5"]
    assert value["mutants"]["tasks"]["5"]["survivors"] == ["line 1, call: f() → pass"] * 3
    assert len(value["runs"]["never_failed"]) == 50
    json.dumps(value)


def test_a_card_says_what_was_never_measured(store: Store) -> None:
    suite = Suite("s", "1", "00", tuple(TASKS))
    card = TrustCard(suite, Kept(), history(store, suite))
    told = dict(card.lines())
    assert told["not measured here"] == (
        "references, empty answers, mutants, flaky tests, weak tasks: this says nothing against "
        "the tests, and `polyassay suites check s --mutants 10 --repeat 10` measures it"
    )
    assert "mutants" not in told and told["licence"] == "unknown"
    assert card.as_json()["mutants"] is None and card.as_json()["runs"] is None


def test_answers_that_pass_and_that_people_find_wrong(store: Store) -> None:
    verdicts = [make_verdict("0", 2), make_verdict("1", 2), make_verdict("2", 1)]
    run = make_run(store, TASKS[:3], verdicts)
    (suite,) = store.suites(run).values()
    rubric = load("aixbench")
    scores = Scores(store)
    scores.save_rubric(rubric.name, rubric.text)
    for task, score in (("0", 1), ("1", 4), ("2", 1)):
        key = CandidateKey("s", task, "heron", "en", 0)
        event = Event(
            EventKind.SCORE, "ana", rubric.name, key, dimension="correctness", score=score
        )
        scores.append(event)
    found = history(store, suite)
    assert found is not None
    assert [key.task for key in found.passed_but_wrong] == ["0"]


def test_flakes_are_tests_that_pass_and_fail_by_turns() -> None:
    verdicts = [
        *(
            make_verdict("0", 1 + sample % 2, tool="reference", sample=sample)
            for sample in range(4)
        ),
        *(make_verdict("1", 1, tool="reference", sample=sample) for sample in range(4)),
        make_verdict("2", 0, tool="reference", outcome=Outcome.HARNESS_ERROR),
    ]
    found = _counted(verdicts, 4, under_load=False)
    assert found.flaky == {"0": {"test_1": Flake(2, 4)}}
    assert (found.tests, found.flaky_tests) == (4, 1)


def test_a_mutant_counts_where_the_tests_judged_it() -> None:
    drawn = Drawn(make_task("0"), described=("a", "b", "c", "d"))
    outcomes = (Outcome.PASSED, Outcome.TIMED_OUT, Outcome.UNBUILT, Outcome.HARNESS_ERROR)
    verdicts = [
        make_verdict("0", 2 if outcome is Outcome.PASSED else 0, sample=n, outcome=outcome)
        for n, outcome in enumerate(outcomes)
    ]
    caught = {"test_0": 2, "test_1": 2}
    assert _judged(drawn, verdicts) == TaskMutants(2, 3, ("a",), caught)
    java = replace(drawn, task=replace(drawn.task, language=Language.JAVA))
    assert _judged(java, verdicts) == TaskMutants(1, 2, ("a",), {"test_0": 1, "test_1": 1})


def test_what_each_of_a_few_tests_catches_alone() -> None:
    base, plus = {"base": 1, "plus": 2}, {"base": 3, "plus": 3}
    found = replace(
        MUTANTS, tasks={"a": TaskMutants(2, 4, (), base), "b": TaskMutants(4, 4, (), plus)}
    )
    assert found.shared_tests == ("base", "plus")
    share, ends = found.test_interval("base")
    assert share == 0.5 and ends.low < 0.5 < ends.high
    assert [line[:24] for line in told_by_test(found)] == [
        "base alone catches 50.0 ",
        "plus alone catches 62.5 ",
    ]
    assert told_by_test(MUTANTS) == []


def test_a_set_that_nobody_meets_is_no_test_that_all_fail(store: Store) -> None:
    names = ("original", "returns_tuple")
    sets = make_task("t", style=Style.SETS, tests=0)
    sets = replace(sets, tests=tuple(Test(f"{name}/test_0") for name in names))
    run = make_run(store, [sets], [set_verdict("t", {"original": (1, 1), "returns_tuple": (0, 1)})])
    (suite,) = store.suites(run).values()
    told = history(store, suite)
    assert told is not None and told.always_failed == ()
