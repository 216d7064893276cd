"""What a command is given and cannot mean, or does not know, is told where it is given."""

import sys
from pathlib import Path

import pytest

from answer_files import a_suite, by_name, write
from made import make_run, make_task, make_verdict
from measured import call
from polyassay import __main__ as program
from polyassay.candidates import read_answers
from polyassay.candidates.sources import Sources, read_sources
from polyassay.cli.init import _answers
from polyassay.errors import PolyAssayError
from polyassay.report.tasks.unknown import meant_for, unknown_notes
from polyassay.store import Run, Store

SUITES = by_name(a_suite("s", "pad-left", "median", "count-words"))


def sources(*names: str) -> Sources:
    return read_sources(names, SUITES, None, False, None)


def answers(path: Path, **texts: str) -> Path:
    return write(path, *({"task": t.replace("_", "-"), "answer": a} for t, a in texts.items()))


def test_ids_that_no_suite_has_are_kept_with_what_they_mean(tmp_path: Path) -> None:
    strays = {f"other_{i}": "x" for i in range(8)}
    file = answers(tmp_path / "a.jsonl", median="m", **strays, pad_lefts="p")
    found = sources(f"a={file}")
    (remark,) = [one for one in found.remarks if "do not have" in one]
    assert remark.startswith(f"{file}: 9 answers to tasks that the suites do not have: pad-lefts (")
    assert 'did you mean "pad-left"?), other-0' in remark and "and 4 more" in remark
    (source,) = found.described
    assert source["tools"] == ["a"]
    assert source["unknown"][0] == {"id": "pad-lefts", "answers": 1, "meant": "pad-left"}
    assert len(source["unknown"]) == 9
    run = Run("r1", "", {"candidates": {"sources": found.described}})
    (note,) = unknown_notes(run)
    assert "of a pad-lefts (probably pad-left), other-0" in note
    assert meant_for(run, "pad-left", "a") == "pad-lefts"
    assert meant_for(run, "pad-left", "b") == meant_for(run, "count-words", "a") == ""


def stray_run(store: Store) -> Run:
    return make_run(
        store,
        [make_task("pad-left"), make_task("median")],
        [
            make_verdict("pad-left", 2, tool="b"),
            make_verdict("median", 2, tool="a"),
            make_verdict("median", 1, tool="b"),
        ],
        sources=[
            {"tools": ["a"], "unknown": [{"id": "pad-lefts", "answers": 1, "meant": "pad-left"}]}
        ],
    )


def test_a_missing_task_says_what_was_meant_for_it(tmp_path: Path, store: Store) -> None:
    stray_run(store)
    told = 'a: no answer, counted as failed. It has one to "pad-lefts"'
    assert told in call(tmp_path, "show", "latest", "pad-left").stdout
    with pytest.raises(PolyAssayError) as error:
        call(tmp_path, "show", "latest", "pad-left", "--tool", "a")
    assert told in error.value.hint
    assert "pad-lefts (probably pad-left)" in call(tmp_path, "show", "latest").stdout
    call(tmp_path, "report", "latest", "-o", str(tmp_path / "site"))
    pages = [page.read_text("utf-8") for page in (tmp_path / "site" / "tasks").glob("*.html")]
    assert sum("There is an answer to “pad-lefts”" in page for page in pages) == 1
    first = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "of a pad-lefts (probably pad-left)." in first


def test_a_file_of_a_folder_for_another_suite_is_left_out_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    answers(folder / "mine.jsonl", median="m", pad_left="p")
    other = answers(folder / "notebooks.jsonl", **{f"cell{i}": "x" for i in range(40)})
    found = read_answers(folder, "a", SUITES)
    assert not found.unknown and dict(found.others) == {str(other): 40}
    assert (
        f"{folder}: {other.name} left out: its 40 answers are to other suites"
        in sources(f"a={folder}").remarks
    )
    hidden = folder / ".polyassay" / "state.json"
    hidden.parent.mkdir()
    hidden.write_text("{}")
    assert len(read_answers(folder, "a", SUITES).candidates) == 2


def test_a_tool_and_a_path_are_both_named(tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", median="m")
    for name, missing in ((f"={file}", "tool"), ("a=", "file or folder")):
        with pytest.raises(PolyAssayError, match=f"names no {missing}"):
            sources(name)


def test_the_same_answers_in_two_files_are_kept_once(tmp_path: Path) -> None:
    first = answers(tmp_path / "a.jsonl", median="m", pad_left="p")
    again = answers(tmp_path / "b.jsonl", median="m")
    found = sources(f"a={first}", f"a={again}")
    assert len(found.candidates) == 2
    assert "1 answer that two files hold with the same text, one of each kept" in found.remarks
    answers(again, median="another")
    with pytest.raises(PolyAssayError, match="with different texts") as error:
        sources(f"a={first}", f"a={again}")
    assert "into one file" in error.value.hint


def test_a_text_that_comes_again_is_a_sample_and_is_told(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", *[{"task": "median", "answer": "m"}] * 3)
    found = sources(f"a={file}")
    assert [candidate.key.sample for candidate in found.candidates] == [0, 1, 2]
    assert any("2 answers with the same text as one before" in one for one in found.remarks)


def test_other_files_are_refused_with_what_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("task: median\nanswer: m\n")
    with pytest.raises(PolyAssayError) as error:
        read_answers(file, "a", SUITES)
    assert 'object with "task" and "answer"' in error.value.hint and ".csv" in error.value.hint


def test_show_wants_a_task_for_a_tool(tmp_path: Path, two_tools: str) -> None:
    with pytest.raises(PolyAssayError, match="no task is named"):
        call(tmp_path, "show", "latest", "--tool", "finch")


def test_verdicts_by_outcome(tmp_path: Path, two_tools: str) -> None:
    asked = ("verdicts", "latest", "--tool", "finch", "--json")
    count = {
        flag: len(call(tmp_path, *asked, *flag).stdout.splitlines())
        for flag in ((), ("--outcome", "passed"), ("--outcome", "failed"), ("--not-passed",))
    }
    assert list(count.values()) == [40, 10, 30, 30]


def test_a_summary_goes_into_the_file_that_is_named(tmp_path: Path, two_tools: str) -> None:
    file = tmp_path / "x.md"
    printed = call(tmp_path, "report", "latest", "--markdown").stdout
    assert not call(tmp_path, "report", "latest", "--markdown", "-o", str(file)).stdout
    assert file.read_text("utf-8") == printed
    with pytest.raises(PolyAssayError, match="is the name of a file"):
        call(tmp_path, "report", "latest", "-o", str(tmp_path / "y.md"))
    with pytest.raises(PolyAssayError) as error:
        call(tmp_path, "report", "latest", "--single-file")
    assert error.value.hint == "Name one: -o report.html."


def test_init_finds_answers_beside_it(tmp_path: Path) -> None:
    answers(tmp_path / "alpha.jsonl", median="m")
    write(tmp_path / "prompts.jsonl", {"task": "median", "prompts": {"en": "do it"}})
    assert _answers(tmp_path) == ["alpha.jsonl"]


def test_help_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["polyassay", "runs"])
    assert program._run() == 2
    told = capsys.readouterr().err
    assert told.startswith("Usage: polyassay") and "Error" not in told and "Hint" not in told


def test_a_wrong_option_is_told_with_the_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["polyassay", "prompts", "-s", "starter-java"])
    assert program._run() == 2
    assert "`polyassay prompts SUITE [TASK]`" in capsys.readouterr().err
