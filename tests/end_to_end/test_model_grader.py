"""`grade model`: a model grades by the rubric, and stays apart from people."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from end_to_end.grading import grade
from end_to_end.grading_pages import TOOLS, answered_folder
from fault_proxy import FaultProxy
from model_server import KEY, model_server
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.preference.choices import preferences
from polyassay.rubric.sheets import scores
from polyassay.rubric.stored import all_scores
from polyassay.store import Store
from polyassay.store.graders import GraderKind, Graders
from polyassay.store.preferences import Preferences
from polyassay.store.scores import Scores

RUBRIC = rubrics.load("aixbench")
ANSWERS = ("-c", "answers.jsonl", "-s", "manual", "--repeat", "0", "--limit", "2")

# Prefers what is short, and says so among other words; fails on its first question.
GRADER = """
import json, pathlib, sys
asked = sys.stdin.read()
pathlib.Path("asked.txt").open("a").write(asked + "\\0")
first = pathlib.Path("first")
if not first.exists():
    first.touch()
    print("I would rather not say: {}")
elif "Answer B:" in asked:
    print('Well: ```json\\n{"overall": "a_better", "reason": "A {is} short"}\\n```')
else:
    print(json.dumps({"reason": "sum", "correctness": 4, "quality": "2", "maintainability": 5}))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("grader.py").write_text(GRADER)
    return answered_folder(tmp_path, 4)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with model_server(tmp_path_factory.mktemp("model"), "--slots", "2") as port:
        yield port


def model(*flags: str, name: str = "judge", answers: tuple[str, ...] = ANSWERS) -> Any:
    return grade("model", *answers, "--grader", name, *flags)


def by_command(*flags: str, name: str = "judge") -> Any:
    line = f"{sys.executable} grader.py"
    tries = ("--tries", "2", "--concurrency", "1")
    return model("--via", "command", "--command", line, *tries, *flags, name=name)


def test_a_real_server_answers_by_the_schemas_grammar(
    server: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTS_KEY", KEY)
    proxy = FaultProxy(server)
    flags = ["--via", "openai", "--model", "tiny-random", "--base-url", proxy.url]
    flags += ["--api-key-env", "TESTS_KEY", "--no-reason", "--max-tokens", "300", "--json"]
    flags += ["--tries", "12"]
    result = model(*flags)
    told = json.loads(result.stdout)
    assert (told["scored"], told["done"], told["total"], told["errors"]) == (4, 4, 4, {})
    store = Store.at(folder / ".polyassay")
    found = scores(Scores(store).events())
    assert len(found) == 12 and {score.grader for score in found} == {"judge"}
    for score in found:
        low, high = RUBRIC.scales[score.dimension]
        assert low <= score.score <= high
    asked = "".join(json.dumps(sent.body) for sent in proxy.log).lower()
    assert "json_schema" in asked and not [tool for tool in (*TOOLS, "-7b") if tool in asked]
    many = len(proxy.log)
    again = json.loads(model(*flags).stdout)  # goes on: nothing is left, nothing is asked
    assert (again["scored"], again["done"], len(proxy.log)) == (0, 4, many)
    proxy.close()


def test_what_it_says_is_kept_apart_with_its_prompt(folder: Path) -> None:
    result = by_command()
    assert "judge: 4 of 4 items graded" in result.stdout and result.exit_code == 0
    store = Store.at(folder / ".polyassay")
    kept = Graders(store).graders()["judge"]
    assert kept.kind is GraderKind.MODEL and kept.facts["via"] == "command"
    prompt = kept.facts["prompts"]["scores"]
    assert "Does all of what was asked." in prompt and len(kept.facts["prompt_sha256"]) == 1
    assert all_scores(Scores(store), RUBRIC, None) == []
    of_models = all_scores(Scores(store), RUBRIC, None, GraderKind.MODEL)
    assert len(of_models) == 12 and {score.comment for score in of_models} == {"", "sum"}
    asked = Path("asked.txt").read_text()
    assert asked.count("\0") == 5  # one answer could not be read, and was asked for again
    assert not [tool for tool in (*TOOLS, "-7b") if tool in asked.lower()]
    # People's screens and figures show nothing of it.
    shown = grade("start", *ANSWERS, "--grader", "ann", "--plain", keys="4\nq\n")
    assert "item 1 of 4" in shown.stdout and "sum" not in shown.stdout.replace("sum(", "")
    assert "judge" not in json.loads(grade("summary", "--json").stdout)["tools"]
    assert "judge (model)" in grade("status").stdout


def test_it_prefers_too(folder: Path) -> None:
    assert by_command("--prefer").exit_code == 0
    found = preferences(Preferences(Store.at(folder / ".polyassay")).events())
    assert [choice.choice.value for choice in found] == ["a_better"] * 2
    assert {choice.comment for choice in found} == {"A {is} short"}


def test_people_and_models_and_two_models_are_never_one_grader(folder: Path) -> None:
    grade("start", *ANSWERS, "--grader", "ann", "--plain", keys="4\nq\n")
    error = by_command(name="ann").exception
    assert isinstance(error, PolyAssayError) and "has graded as a person" in error.problem
    assert by_command().exit_code == 0
    changed = model("--via", "command", "--command", "another-grader")
    assert isinstance(changed.exception, PolyAssayError)
    assert "with another settings before" in changed.exception.problem
    start = grade("start", *ANSWERS, "--grader", "judge", "--plain", keys="4\nq\n").exception
    assert isinstance(start, PolyAssayError) and "is a model" in start.problem


def test_a_grader_that_cannot_be_asked_or_read_is_said(folder: Path) -> None:
    silent = model("--via", "command", "--command", "echo nothing", "--tries", "1")
    assert isinstance(silent.exception, PolyAssayError)
    assert "does not say all that was asked" in silent.exception.problem
    far = model(
        "--via", "openai", "--model", "m", "--base-url", "http://model.invalid/v1", name="x"
    )
    assert isinstance(far.exception, PolyAssayError) and "agreed to" in far.exception.problem
    assert "for people" in model("--via", "command", "--command", "x", "--side-by-side").stderr
    broken = model("--via", "command", "--command", "'x", name="y").exception
    assert isinstance(broken, PolyAssayError) and "--command" in broken.problem
