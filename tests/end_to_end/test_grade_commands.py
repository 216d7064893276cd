"""`polyassay grade`: files in, figures out, and bad rows named."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import pstdev

import pytest
from click.testing import CliRunner, Result

from made import make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.model import Candidate, CandidateKey, Program, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.files import COLUMNS
from polyassay.store import Store
from polyassay.suites import native
from polyassay.suites.registry import Registry

TASKS = 161
# The sums behind the paper's Table 3 (161 tasks): its means, which it truncates.
SUMS = {
    "aixcoder": {"correctness": 475, "quality": 355, "maintainability": 482},
    "copilot": {"correctness": 481, "quality": 350, "maintainability": 498},
}
TABLE_3 = {
    "aixcoder": {"correctness": 2.9503, "quality": 2.2049, "maintainability": 2.9937},
    "copilot": {"correctness": 2.9875, "quality": 2.1739, "maintainability": 3.0931},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tasks.jsonl"
    prompts = [{"en": f"Do {n}"} if n else {"en": "Do", "zh": "做"} for n in range(TASKS)]
    file.write_text(
        "".join(
            json.dumps({"id": f"t{n}", "language": "python", "style": "rubric", "prompts": texts})
            + "\n"
            for n, texts in enumerate(prompts)
        )
    )
    (suite,) = native.read(file, "manual")
    Registry(tmp_path / ".polyassay").add(suite)
    return tmp_path


def grade(*arguments: str, keys: str | None = None) -> Result:
    result = CliRunner().invoke(polyassay, ["grade", *arguments], input=keys)
    if result.exception and not isinstance(result.exception, SystemExit | PolyAssayError):
        raise result.exception
    return result


def told(*arguments: str) -> dict:
    result = grade(*arguments, "--json")
    assert result.exit_code == 0, result.exception
    return json.loads(result.stdout)


def refused(*arguments: str) -> PolyAssayError:
    error = grade(*arguments).exception
    assert isinstance(error, PolyAssayError)
    return error


def write(path: str, rows: Sequence[Sequence[object]], header: Sequence[str] = COLUMNS) -> str:
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def row(task: int, dimension: str, score: object, tool: str = "finch", grader: str = "ann") -> list:
    return ["manual", f"t{task}", tool, "en", 0, grader, dimension, score, ""]


def spread(total: int, low: int, high: int) -> list[int]:
    """161 scores on a scale that have this sum."""
    scores = [low] * TASKS
    left = total - sum(scores)
    for index in range(TASKS):
        step = min(high - low, left)
        scores[index] += step
        left -= step
    assert not left
    return scores


def test_the_summary_has_the_means_of_the_papers_table_3(folder: Path) -> None:
    scales = rubrics.load("aixbench").scales
    rows = [
        row(task, dimension, score, tool)
        for tool, sums in SUMS.items()
        for dimension, total in sums.items()
        for task, score in enumerate(spread(total, *scales[dimension]))
    ]
    result = grade("import", write("scores.csv", rows))
    assert "966 scores imported" in result.stdout
    found = told("summary")
    for tool, means in TABLE_3.items():
        for dimension, printed in means.items():
            of = found["tools"][tool][dimension]
            assert of["mean"] == pytest.approx(SUMS[tool][dimension] / TASKS, abs=5e-5)
            assert int(of["mean"] * 10_000) / 10_000 == printed  # truncated, as the paper has it
            sd = pstdev(spread(SUMS[tool][dimension], *scales[dimension]))
            assert of["low"] < of["mean"] < of["high"]
            assert of["high"] - of["low"] == pytest.approx(2 * 1.96 * sd / TASKS**0.5, rel=0.1)
            assert set(of) == {"mean", "low", "high", "n"}
            assert of["n"] == TASKS == sum(found["counts"][tool][dimension].values())
    text = grade("summary").stdout
    assert "2.9503" in text and "3.0932" in text  # rounded, where the paper truncates


def test_agreement_is_told_by_pair_and_dimension(folder: Path) -> None:
    given = {"bob": (1, 2, 3, 3), "ann": (1, 2, 3, 2)}
    rows = [
        row(task, "quality", score, grader=grader)
        for grader, scores in given.items()
        for task, score in enumerate(scores)
    ]
    grade("import", write("scores.csv", rows))
    found = told("agreement")
    assert set(found["alpha"]) == set(found["kappa"]) == set(rubrics.load("aixbench").scales)
    assert found["alpha"]["correctness"] is None
    # By hand: one squared difference of 1 in 4; by chance (1·(1+2·4) + 2·(1+2) + (4+1))/16.
    assert found["kappa"] == {
        "correctness": {},
        "quality": {"ann,bob": pytest.approx(1 - (1 / 4) / (20 / 16))},
        "maintainability": {},
    }
    (apart,) = found["disagreements"]
    assert (apart["task"], apart["scores"]) == ("t3", {"ann": 2, "bob": 3})
    text = grade("agreement").stdout
    assert "kappa, ann and bob" in text and "manual t3 · finch" in text


def test_one_bad_row_refuses_the_file_and_partial_takes_the_rest(folder: Path) -> None:
    bad = row(999, "quality", 1)
    file = write("scores.csv", [row(2, "quality", 1), row(3, "quality", 1), bad])
    error = refused("import", file)
    assert "1 of 3 rows are bad" in error.problem
    assert 'row 3 (line 4): the suite "manual" has no task "t999"' in error.problem
    assert "Nothing was imported" in error.hint
    assert "Nobody has given a score" in refused("summary").problem
    assert "cannot be read" in refused("import", "nothing.csv").problem
    left_out = told("import", file, "--partial")
    assert left_out["imported"] == 2
    assert [row["row"] for row in left_out["left_out"]] == [3]
    assert told("summary")["tools"]["finch"]["quality"]["n"] == 2


def test_what_goes_out_comes_back_in_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    hard = 'says "no", at\nline 2; é 做'
    rows = [row(1, "quality", 1), [*row(2, "correctness", 4)[:-1], hard]]
    grade("import", write("scores.csv", rows))
    for file in ("out.csv", "out.jsonl"):
        grade("export", "-o", file)
        again = told("import", file)
        assert again == {"imported": 0, "there_already": 2, "left_out": []}
        other = f"sqlite:///{tmp_path / file}.sqlite"
        assert told("import", file, "--store", other)["imported"] == 2
        assert grade("export", "--store", other).stdout == Path("out.csv").read_text()
    with Path("out.csv").open(newline="", encoding="utf-8") as out:
        assert [r["comment"] for r in csv.DictReader(out)] == ["", hard]


def test_another_score_in_the_store_is_changed_only_when_asked(folder: Path) -> None:
    grade("import", write("scores.csv", [row(1, "quality", 1)]))
    changed = write("scores.csv", [row(1, "quality", 3)])
    assert "row 1 (line 2): the store has another score" in refused("import", changed).problem
    assert told("import", changed, "--replace")["imported"] == 1
    assert told("summary")["tools"]["finch"]["quality"]["mean"] == 3


def test_a_rubric_whose_points_changed_needs_another_name(folder: Path) -> None:
    grade("import", write("scores.csv", [row(1, "quality", 1)]))
    text = rubrics.load("aixbench").text.replace('id = "quality"', 'id = "elegance"')
    Path("other.toml").write_text(text, encoding="utf-8")
    error = refused("import", "scores.csv", "--rubric", "other.toml", "--partial")
    assert 'another rubric "aixbench"' in error.problem


def test_a_decision_counts_in_means_and_both_are_kept(folder: Path) -> None:
    rows = [row(1, "quality", 1), row(1, "quality", 3, grader="bob"), row(2, "quality", 2)]
    grade("import", write("scores.csv", rows))
    result = grade("adjudicate", "--grader", "chief", keys="9\n2\n")
    assert "ann gave 1" in result.stdout and "1 decided, 0 left" in result.stdout
    assert "finch" not in result.stdout
    of = told("summary")["tools"]["finch"]["quality"]
    assert (of["mean"], of["n"]) == (2, 2)
    (apart,) = told("agreement")["disagreements"]
    assert (apart["scores"], apart["decided"]) == ({"ann": 1, "bob": 3}, 2)
    assert "0 decided, 0 left" in grade("adjudicate", "--grader", "chief").stdout
    grade("export", "-o", "all.jsonl")
    other = "sqlite:///other.sqlite"
    assert told("import", "all.jsonl", "--store", other)["imported"] == 4
    assert told("summary", "--store", other) == told("summary")


def test_tests_and_people_contradict_each_other(folder: Path) -> None:
    tasks = [make_task(f"t{n}", suite="manual") for n in range(5)]
    suite = Suite("manual", "1", "c" * 64, tuple(tasks))
    passed = (2, 2, 0, 1, 2)
    of = {"tool": "finch", "suite": "manual"}
    verdicts = [make_verdict(f"t{n}", count, **of) for n, count in enumerate(passed)]
    store = Store.at(folder / ".polyassay")
    run = store.start_run([suite], [Candidate(v.candidate, "x") for v in verdicts], {"suites": {}})
    store.save_verdicts(run.id, verdicts)
    given = (4, 1, 4, 2, 3)
    grade("import", write("s.csv", [row(n, "correctness", s) for n, s in enumerate(given)]))
    found = told("crosstab", "latest")
    assert [c["task"] for c in found["passed_but_wrong"]] == ["t1"]
    assert [c["task"] for c in found["failed_but_right"]] == ["t2"]
    assert found["counts"] == {
        "passed": {"wrong": 1, "partly": 1, "right": 1},
        "failed": {"wrong": 1, "partly": 0, "right": 1},
    }
    # Ranks of people 4.5 1 4.5 2 3 and of tests 4 4 1 2 4, by hand: -2.5 over the root of 9.5·8.
    assert found["correlation"]["correctness"]["rho"] == pytest.approx(-2.5 / 76**0.5)
    assert found["correlation"]["quality"] == {"rho": None, "n": 0}
    text = grade("crosstab", "latest").stdout
    assert "Tests pass, graders call it wrong: 1" in text


def test_answers_that_are_not_the_ones_that_were_graded_stay_out(folder: Path) -> None:
    suite = Registry(folder / ".polyassay").load("manual")
    store = Store.at(folder / ".polyassay")
    for code in ("x = 1", "x = 2"):
        made = make_verdict("t1", 2, tool="finch", suite="manual", program=Program(code, code=code))
        about = {"suites": {"manual": {"checksum": suite.checksum}}}
        run = store.start_run([suite], [Candidate(made.candidate, code)], about)
        store.save_verdicts(run.id, [made])
        if code == "x = 1":
            grade("start", run.id, "--grader", "ann", keys="1\n1\n1\n")
            assert len(told("crosstab", run.id)["passed_but_wrong"]) == 1
    found = told("crosstab", run.id)
    assert (found["passed_but_wrong"], found["other_answers"]) == ([], 1)


class TestStart:
    """Line by line, as scripts do it; tests/end_to_end has the full screen."""

    @pytest.fixture
    def answers(self, folder: Path) -> str:
        answers = [
            {"task": f"t{n}", "tool": tool, "answer": f"def f():\n    return {n}  # by {tool}\n"}
            for n in (1, 2, 3)
            for tool in ("finch", "heron")
        ]
        Path("a.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers))
        return "a.jsonl"

    def start(self, answers: str, keys: str, *flags: str, grader: str = "ann") -> Result:
        lines = "".join(f"{key}\n" for key in keys.split(","))
        named = ("--suite", "manual", "--grader", grader, "--repeat", "0")
        return grade("start", "-c", answers, *named, *flags, keys=lines)

    def test_it_goes_on_where_it_was_and_names_no_tool(self, answers: str) -> None:
        first = self.start(answers, "4,3,5,1,q")
        assert "1 of 6 items done" in first.stderr
        second = self.start(answers, "2,3," + "1,1,1," * 4)
        assert "item 2 of 6" in second.stdout and "item 1 of 6" not in second.stdout
        assert "All items done" in second.stderr
        seen = (first.output + second.output).lower()
        assert "return 1" in seen and "finch" not in seen and "heron" not in seen
        rows = list(csv.DictReader(grade("export").stdout.splitlines()))
        assert len(rows) == 18
        assert Counter(row["score"] for row in rows) == {"1": 13, "3": 2, "4": 1, "5": 1, "2": 1}
        (status,) = json.loads(grade("status", "--json").stdout)
        assert (status["items"], status["done"], status["scores"]) == (6, 6, 18)

    def test_wrong_keys_help_comment_flag_and_undo(self, answers: str) -> None:
        result = self.start(answers, "7,x,?,u,4,c,too long,f,u,q")
        for told in (
            "correctness is 1 to 4",
            "Give a score",
            "Does all of what",
            "nothing to take",
        ):
            assert told in result.stdout
        (status,) = json.loads(grade("status", "--json").stdout)
        assert (status["scores"], status["flagged"]) == (1, 0)

    def test_overlap_shares_the_answers_out(self, answers: str) -> None:
        share = ("--overlap", "1", "--graders", "2")
        assert "of 3" in self.start(answers, "q", *share).stdout
        assert "of 3" in self.start(answers, "q", *share, grader="bob").stdout
        third = self.start(answers, "q", *share, grader="cho").exception
        assert isinstance(third, PolyAssayError) and "Nothing is left" in third.problem
        assert "of 6" in self.start(answers, "q", "--overlap", "2", grader="cho").stdout

    def test_side_by_side_asks_for_both_answers(self, answers: str) -> None:
        result = self.start(answers, "4,3,q", "--side-by-side")
        assert "answer B" in result.stdout and "correctness of B" in result.stdout
        assert "item 1 of 3" in result.stdout

    def test_another_answer_under_the_same_name_is_refused(self, answers: str) -> None:
        self.start(answers, "q")
        text = Path(answers).read_text()
        Path(answers).write_text(text.replace("return 1", "return 7"))
        changed = self.start(answers, "q").exception
        assert isinstance(changed, PolyAssayError)
        assert "An answer to task t1 differs" in changed.problem
        assert "finch" not in changed.problem + changed.hint

    def test_the_wording_comes_in_the_language_that_was_asked_for(self, answers: str) -> None:
        assert "完全实现" in self.start(answers, "q", "--language", "zh").stdout

    def test_samples_and_prompts_can_be_chosen(self, answers: str) -> None:
        rows = [
            {"task": "t0", "tool": "finch", "sample": n, "prompt_language": nl, "answer": f"x{n}"}
            for n in (0, 1)
            for nl in ("en", "zh")
        ]
        Path(answers).write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert "of 4" in self.start(answers, "q").stdout
        chosen = self.start(answers, "q", "--samples", "1", "--prompt-language", "zh", grader="b")
        assert "of 1" in chosen.stdout and "x0" in chosen.stdout
        none = self.start(answers, "q", "--prompt-language", "ru").exception
        assert isinstance(none, PolyAssayError)

    def test_json_leaves_standard_output_to_the_figures(self, answers: str) -> None:
        found = json.loads(self.start(answers, "4,3,5,s,q", "--json").stdout)
        assert (found["done"], found["total"], found["skipped"]) == (2, 6, 1)

    def test_a_grader_who_has_scored_all_answers_is_told(self, answers: str) -> None:
        self.start(answers, "1,1,1," * 6)
        Path(answers).write_text("".join(Path(answers).read_text().splitlines(True)[:2]))
        done = self.start(answers, "q").exception
        assert isinstance(done, PolyAssayError) and "Nothing is left for ann" in done.problem

    def test_a_disagreement_is_shown_with_code_and_without_its_tool(self, answers: str) -> None:
        self.start(answers, "1,1,1," * 6)
        self.start(answers, "1,2,1," * 6, grader="bob")
        result = grade("adjudicate", "--grader", "chief", keys="2\ns\nq\n")
        assert "return 1  # by •••" in result.stdout
        assert "1 decided, 5 left" in result.stdout
        assert "finch" not in result.stdout

    def test_answers_of_a_run_are_graded_too(self, answers: str, folder: Path) -> None:
        suite = Registry(folder / ".polyassay").load("manual")
        keys = [CandidateKey("manual", f"t{n}", "finch", "en", 0) for n in (1, 2)]
        Store.at(folder / ".polyassay").start_run(
            [suite],
            [Candidate(key, "def f(): pass") for key in keys],
            {"suites": {"manual": {"checksum": suite.checksum}}},
        )
        result = grade("start", "latest", "--grader", "ann", keys="q\n")
        assert "item 1 of 2" in result.stdout and "def f(): pass" in result.stdout
