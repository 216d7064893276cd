"""A command line that is refused says what was probably meant, and how to go on."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.cli.usage import hint_of, problem_of
from polyassay.errors import PolyAssayError
from polyassay.model import Outcome, Program
from polyassay.store import Store
from polyassay.store.housekeeping import label_run
from polyassay.suites.registry import Registry
from polyassay.wording import NO_CODE


def refused(*words: str) -> tuple[str, str]:
    """The sentence and the hint of a command line."""
    try:
        polyassay.main([*words], prog_name="polyassay", standalone_mode=False)
    except click.UsageError as error:
        return problem_of(error), hint_of(error, polyassay, words)
    except PolyAssayError as error:
        return error.problem, error.hint
    raise AssertionError(words)


@pytest.mark.parametrize(
    ("words", "problem", "hint"),
    [
        (("schema",), "Choose from: task, answer, score, study", "`polyassay schema {task|"),
        (("completion",), "Choose from: bash, zsh, fish", "`polyassay completion {bash|zsh|fish}`"),
        (("schema", "tsk"), "'tsk' is not one of", 'did you mean "task"? '),
        (("show", "r1", "a", "--tool"), "requires an argument", "`polyassay show RUN [TASK]`"),
        (("compare", "a", "b", "--margin"), "'--margin' requires", "`polyassay compare "),
        (("suites", "add", "native"), "'--from'", "`polyassay suites add KIND --from PATH`"),
        (("export", "r1"), "Choose from: junit, csv", "`polyassay export RUN --format [junit|csv"),
        (("power",), "Missing option", "`polyassay power --difference POINTS`"),
        (("suites", "remove", "s"), '"s"', "`polyassay suites"),
        (("run", "-s", "a", "nothing"), "nothing stands alone", "repeat -s: `-s nothing`"),
    ],
)
def test_what_is_refused_shows_the_way(
    words: tuple[str, ...], problem: str, hint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    told, way = refused(*words)
    assert problem in told and hint in way
    assert not set("\n\t") & set(told)


@pytest.mark.parametrize(
    ("tasks", "way"),
    [
        (
            ("csv-totals", "split-bill"),
            "Nothing was run. starter-python has all 2: -s starter-python.",
        ),
        (
            ("ledger", "nowhere"),
            "Nothing was run. starter-python has 1 of them: -s starter-python.",
        ),
        (("nowhere",), "Nothing was run. Is it the right suite?"),
    ],
)
def test_answers_to_another_suite_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tasks: tuple[str, ...], way: str
) -> None:
    monkeypatch.chdir(tmp_path)
    # Reading a Java suite would need a JVM.
    monkeypatch.setattr(Registry, "names", lambda _: ["starter-notebooks", "starter-python"])
    lines = [f'{{"task": "{task}", "answer": "x"}}' for task in tasks]
    Path("bolt.jsonl").write_text("\n".join(lines))
    told, hint = refused("run", "-s", "starter-notebooks", "-c", "b=bolt.jsonl")
    assert told.startswith("bolt.jsonl has no answer to a task of starter-notebooks")
    assert way in hint


def test_a_file_without_its_flag_is_taken_for_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text("{}")
    told, way = refused("run", "-s", "starter-python", "bad.jsonl")
    assert told.startswith("bad.jsonl stands alone") and "`-c NAME=bad.jsonl`" in way


def test_all_words_without_a_flag_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text("{}")
    Path("b.csv").write_text("")
    told, way = refused("run", "-s", "starter-python", "a.jsonl", "b.csv")
    assert told == "a.jsonl and b.csv stand alone, without a flag."
    assert "`-c NAME=a.jsonl -c NAME=b.csv`" in way
    told, way = refused("run", "-s", "starter-python", "starter-java", "-c", "a=a.jsonl")
    assert told == "starter-java stands alone, without a flag."
    assert "repeat -s: `-s starter-java`" in way
    told, way = refused("run", "-s", "starter-python", "-c", "a:a.jsonl")
    assert way.startswith('did you mean "a=a.jsonl"?')


def test_another_programs_option_is_known() -> None:
    assert refused("verdicts", "latest", "--failed")[1].startswith('did you mean "--not-passed"?')


def test_tools_without_a_run_mean_the_newest_that_has_them(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    store = Store.open(url)
    verdicts = [make_verdict("a", 2, tool=tool) for tool in ("finch", "heron", "jay")]
    make_run(store, [make_task("a")], verdicts[:2])
    words = "compare", "finch", "heron", "--store", url
    assert refused(*words)[1] == "did you mean `polyassay compare latest finch heron`?"
    make_run(store, [make_task("a")], verdicts[1:])
    assert "compare latest" not in refused(*words)[1]
    assert "finch heron`?" in refused(*words)[1]
    assert "did you mean" not in refused("compare", "crow", "heron", "--store", url)[1]


def test_names_with_a_slip_of_the_pen(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    store = Store.open(url)
    run = make_run(store, [make_task("a")], [make_verdict("a", 2, tool="finch")])
    label_run(store, run, "first")
    assert refused("score", "frist", "--store", url)[1].startswith('did you mean "first"?')
    _, way = refused("score", "first", "--fail-under", "pss@1=70%", "--store", url)
    assert way.startswith('did you mean "pass@1"?') and len(way) < 100


def test_an_export_says_what_it_wrote(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    make_run(Store.open(url), [make_task("a")], [make_verdict("a", 2, tool="finch")])
    file = tmp_path / "v.xml"
    words = ["export", "latest", "--format", "junit", "-o", str(file), "--store", url]
    done = CliRunner().invoke(polyassay, words, catch_exceptions=False)
    assert done.stdout == "" and file.is_file()
    assert done.stderr.replace("\n", "") == f"Wrote 1 verdict to {file}."


def test_a_report_in_a_folder_of_other_files_says_what_it_wrote(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    make_run(Store.open(url), [make_task("a")], [make_verdict("a", 2, tool="finch")])
    place = tmp_path / "site"
    words = ["report", "latest", "-o", str(place), "--store", url]
    assert "other files" not in CliRunner().invoke(polyassay, words).stdout
    place = tmp_path / "mine"
    place.mkdir()
    (place / "notes.txt").write_text("mine")
    words[3] = str(place)
    told = CliRunner().invoke(polyassay, words).stdout.replace("\n", "")
    assert "mine had other files; written beside them: app.js, index.html," in told
    assert (place / "notes.txt").read_text() == "mine" and "notes.txt" not in told


def test_an_answer_is_shown_as_it_was_given(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    store = Store.open(url)
    run = make_run(store, [make_task("a")], [make_verdict("a", 2, tool="finch")])
    (verdict,) = store.verdicts(run.id)
    given = store.candidate(run.id, verdict.candidate).answer
    done = CliRunner().invoke(polyassay, ["show", "latest", "a", "--raw", "--store", url])
    assert done.stdout.strip() == given.strip()
    assert "no task is named" in refused("show", "latest", "--raw", "--store", url)[0]


def test_a_refusal_is_no_code_with_colours(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    said = "I cannot import or return that for you, sorry."
    program = Program("", code=said, problem=NO_CODE)
    refusal = make_verdict("a", 0, tool="finch", outcome=Outcome.UNBUILT, program=program)
    make_run(Store.open(url), [make_task("a")], [refusal])
    done = CliRunner().invoke(polyassay, ["show", "latest", "a", "--store", url])
    assert said in [line.strip() for line in done.stdout.splitlines()]
    place = tmp_path / "report"
    CliRunner().invoke(polyassay, ["report", "latest", "-o", str(place), "--store", url])
    (page,) = (place / "tasks").glob("*.html")
    assert f'<blockquote class="prompt">{said}</blockquote>' in page.read_text("utf-8")
