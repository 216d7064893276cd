"""`polyassay measures` on a run and on files, with real helper processes."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from made import make_run, make_task, make_verdict
from measured import call
from polyassay import helper_process
from polyassay.measures.measuring import versions
from polyassay.measures.measuring.measurer import Measurer
from polyassay.measures.measuring.request import ToMeasure
from polyassay.model import CandidateKey, Program, Task, Verdict
from polyassay.store import Store

REFERENCE = "def f(x):\n    return sum(v * {} for v in x)\n"
LOOP = "def f(x):\n    t = 0\n    for v in x:\n        t += v * {}\n    return t\n"
WRONG = "def f(x):\n    return max(v * {} for v in x)\n"


def tasks() -> list[Task]:
    return [make_task(str(i), entry="f", reference=REFERENCE.format(i)) for i in range(12)]


def verdict(task: int, tool: str, code: str, passed: bool, sample: int = 0) -> Verdict:
    program = Program(code, code=code)
    return make_verdict(str(task), 2 * passed, tool=tool, sample=sample, program=program)


@pytest.fixture
def run(tmp_path: Path) -> str:
    """finch copies references; heron loops, errs with a near copy, and once says nothing."""
    found = [verdict(i, "finch", REFERENCE.format(i), True) for i in range(12)]
    found += [verdict(i, "heron", LOOP.format(i), True) for i in range(6)]
    found += [verdict(i, "heron", WRONG.format(i), False) for i in range(6, 11)]
    found.append(verdict(11, "heron", "", False))
    store = Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}")
    return make_run(store, tasks(), found).id


def test_a_run_is_measured_once_and_says_what_measures_are_worth(tmp_path: Path, run: str) -> None:
    first = call(tmp_path, "measures", run, "--json", "--cases", "2")
    assert first.exit_code == 0 and "Measured 24 answers" in first.stderr
    value = json.loads(first.stdout)
    finch, heron = value["tools"]["finch"], value["tools"]["heron"]
    assert value["flavour"] == "standard" and value["versions"]["tree-sitter-python"]
    assert finch["measures"]["bleu"]["value"] == pytest.approx(1.0)
    assert finch["measures"]["exact"]["value"] == 1.0
    assert heron["empty"] == 1 and heron["samples"] == 12
    assert 0 < heron["measures"]["codebleu"]["low"] < heron["measures"]["codebleu"]["value"] < 1
    assert value["worth"]["bleu"]["passed"] == 18 and value["worth"]["bleu"]["failed"] == 6
    assert 0 < value["worth"]["bleu"]["auc"]["value"] < 1
    assert value["worth"]["bleu"]["tools"]["decided_alike"]["value"] == 1.0
    low, high = value["cases"][0], value["cases"][2]
    assert low["passed"] and low["tool"] == "heron" and low["tags"] == ["another way"]
    assert not high["passed"] and "one-token edit" in high["tags"]
    again = call(tmp_path, "measures", run, "--json", "--cases", "2")
    assert "Measured" not in again.stderr and json.loads(again.stdout) == value


def test_another_version_measures_again(
    tmp_path: Path, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(tmp_path, "measures", run)
    monkeypatch.setattr(versions, "MEASURING", 2)
    versions.versions.cache_clear()
    assert "Measured 24 answers" in call(tmp_path, "measures", run).stderr
    versions.versions.cache_clear()


def test_other_commands_take_what_was_measured(tmp_path: Path, run: str) -> None:
    call(tmp_path, "measures", run)
    score = json.loads(call(tmp_path, "score", run, "--json", "--measure", "bleu").stdout)
    assert score["tools"]["finch"]["bleu"] == pytest.approx(1.0)
    found = call(tmp_path, "compare", run, "finch", "heron", "--measure", "chrf", "--json")
    assert json.loads(found.stdout)["metrics"]["chrf"]["answer"] == "worse"


def test_the_report_has_a_page_of_measures_and_pictures_are_files(tmp_path: Path, run: str) -> None:
    call(tmp_path, "report", run, "-o", str(tmp_path / "bare"))
    assert not (tmp_path / "bare" / "measures.html").exists()
    call(tmp_path, "measures", run, "--pictures", str(tmp_path / "pictures"))
    call(tmp_path, "report", run, "-o", str(tmp_path / "report"))
    page = (tmp_path / "report" / "measures.html").read_text("utf-8")
    assert "standard flavour" in page and page.count("<svg") >= 15
    assert 'href="tasks/0.html"' in page and "another way" in page
    assert "measures.html" in (tmp_path / "report" / "index.html").read_text("utf-8")
    files = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert files[0] == "histogram-bleu.svg" and len(files) == 15
    for path in (tmp_path / "pictures").iterdir():
        ElementTree.fromstring(path.read_text("utf-8"))


def test_samples_of_files_without_executing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    task = {
        "id": "add", "language": "python", "style": "function", "entry": "add",
        "prompts": {"en": "Add."}, "signature": "def add(a, b)",
        "tests": [{"name": "test_0", "code": "assert add(1, 2) == 3"}],
        "reference": "def add(a, b):\n    return a + b\n",
    }  # fmt: skip
    Path("suite.jsonl").write_text(json.dumps(task) + "\n")
    lines = [
        {"task": "add", "sample": i, "answer": answer}
        for i, answer in enumerate([task["reference"], "", "raise SystemExit('executed')"])
    ]
    Path("a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    call(tmp_path, "measures", "--help")
    from click.testing import CliRunner

    from polyassay.cli import polyassay

    runner = CliRunner()
    assert (
        runner.invoke(
            polyassay, ["suites", "add", "native", "--from", "suite.jsonl", "--as", "mine"]
        ).exit_code
        == 0
    )
    for flavour in ("standard", "published"):
        found = call(
            tmp_path, "measures", "-s", "mine", "-c", "a=a.jsonl", "--flavour", flavour,
            "--samples", "--json",
        )  # fmt: skip
        copy, empty, other = (json.loads(line) for line in found.stdout.splitlines())
        assert copy["measures"]["bleu"] == pytest.approx(1.0) and copy["tool"] == "a"
        assert empty["measures"]["bleu"] == 0.0 and empty["notes"] == ["empty answer"]
        assert 0 <= other["measures"]["codebleu"] < 0.5 and "passed" not in other


DYING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from polyassay.measures.measuring import server
measured = server.measured
server.measured = lambda answer, *rest, **named: (
    os._exit(1) if "die" in answer else measured(answer, *rest, **named)
)
server.serve()
"""


def test_an_answer_that_ends_the_helper_costs_no_other_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def item(sample: int, code: str) -> ToMeasure:
        key = CandidateKey("s", "t", "m", "en", sample)
        return ToMeasure(key, code, ("x = 1\n",), "python", "standard")

    monkeypatch.setattr(helper_process, "START", DYING)
    with Measurer(1) as measurer:
        found = list(measurer.measure([item(0, "x = 1"), item(1, "die()"), item(2, "x = 1")]))
    assert [bool(sample.values) for sample in found] == [True, False, True]
    assert "not measured" in found[1].notes[0] and found[0].values == found[2].values


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Give a run"),
        (["latest", "-s", "x"], "not both"),
        (["latest", "--codebleu-characters"], "Add --flavour published"),
        (["nothing"], "There is no run"),
    ],
)
def test_bad_use_is_told(tmp_path: Path, arguments: list[str], told: str) -> None:
    from polyassay.errors import PolyAssayError

    try:
        result = call(tmp_path, "measures", *arguments)
    except PolyAssayError as error:
        assert told in f"{error} {error.hint}"
    else:
        assert result.exit_code == 2 and told in result.stderr
