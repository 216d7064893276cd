"""What cannot be read as answers is told by its line, with a hint, and nothing is guessed."""

import gzip
import json
from pathlib import Path

import pytest

from answer_files import a_suite, by_name, told, write
from made import make_task
from polyassay.candidates import FORMATS, read_answers
from polyassay.candidates.sources import read_sources
from polyassay.errors import PolyAssayError
from polyassay.suites.make import make_suite
from scripts import TOOLS


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            b'{"task": "x", "answer": "a", "sample": "two"}',
            '"sample" must be a whole number, found "two"',
        ),
        (
            b'{"task": "x", "answer": "a", "sample": -1}',
            '"sample" must be a whole number, found -1',
        ),
        (
            b'{"task": "x", "answer": "a", "sample": true}',
            '"sample" must be a whole number, found true',
        ),
        (b'{"task": "x"}', '"answer" is missing'),
        (b'{"task": "x", "answer": null}', '"answer" must be text, found null'),
        (b'{"task": ["x"], "answer": "a"}', '"task" must be text, found \\["x"\\]'),
        (b'{"answer": "a"}', '"task" is missing'),
        (b'["x"]', 'must be an object, found \\["x"\\]'),
        (b'{"task": "x", "answer"', "is not JSON .*at column 23"),
        (
            b'{"task": "x", "answer": "a\tb"}',
            "is not JSON \\(invalid control character at column 27\\)",
        ),
        (b'{"task": "x", "answer": "\xff"}', "is not UTF-8"),
        (b"[" * 100_000, "is not JSON \\(nested too deeply\\)"),
        (
            b'{"task": "x", "answer": "a", "prompt_language": "de"}',
            'has no prompt in "de", only in en',
        ),
    ],
)
def test_a_bad_line_is_named_and_can_be_skipped(tmp_path, line, problem):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"task": "x", "answer": "good"}\n\n' + line + b"\n")
    with pytest.raises(PolyAssayError, match=f"a.jsonl, line 3: .*{problem}") as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert str(raised.value).endswith(".")
    assert "--skip-bad" in raised.value.hint
    answers = read_answers(path, "t", by_name(a_suite("s", "x")), skip_bad=True)
    assert told(answers, "answer") == [("good",)]
    assert len(answers.bad_lines) == 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"[]", "is an empty list"),
        (b'[["a"], ["b"', "starts like a JSON list but is none"),
        (b'["\xff"]', "is not UTF-8"),
        (b"\x1f\x8b\x08broken", "cannot be read"),
        (b"nonsense\n", "line 1: is not JSON"),
        (
            b'{"question": 1, "reply": 2}\n',
            "is in no known format: it holds objects with question, reply",
        ),
        (b'{"task": "nope", "answer": ""}\n', "has no answer to a task of s: it answers nope"),
    ],
)
def test_a_file_of_no_use_says_why(tmp_path, content, problem):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(PolyAssayError, match=problem) as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert raised.value.hint


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"task,answer\n", "a.csv has a header and no answers"),
        ("a.csv", b"\ntask;answer\r\n;\r\n\r\n", "a.csv has a header and no answers"),
        (
            "a.csv.gz",
            gzip.compress(b"task,answer\n", mtime=0),
            "a.csv.gz has a header and no answers",
        ),
        ("a.csv", b"\n \n", "a.csv is empty"),
        ("a.csv", b"[]", "a.csv has a header and no answers"),
        ("a.json", b"[]", "a.json is an empty list"),
        ("a.json", b"{}", "it holds objects with no fields"),
        ("a.jsonl", gzip.compress(b"", mtime=0), "a.jsonl is empty"),
        ("folder/a.csv", b"task,answer\n", "a.csv has a header and no answers"),
        ("folder/a.json", b"[]", "a.json is an empty list"),
        ("folder/x/notes", b"", "folder holds no answers"),
    ],
)
def test_what_holds_no_answers_says_so(tmp_path, name, content, problem):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    place = tmp_path / Path(name).parts[0]
    with pytest.raises(PolyAssayError) as raised:
        read_answers(place, "t", by_name(a_suite("s", "x")))
    assert problem in raised.value.problem
    assert raised.value.hint
    with pytest.raises(PolyAssayError):
        read_answers(place, "t", by_name(a_suite("s", "x")), format="native")


def test_a_folder_of_tables_is_read_without_the_tables_of_something_else(tmp_path):
    (tmp_path / "x.csv").write_text("task,answer\nx,a\n")
    (tmp_path / "y.csv.gz").write_bytes(gzip.compress(b"Task,ANSWER\ny,b\n"))
    (tmp_path / "scores.csv").write_text("task,quality\nx,3\n")
    answers = read_answers(tmp_path, "t", by_name(a_suite("s", "x", "y")))
    assert told(answers, "task", "answer") == [("x", "a"), ("y", "b")]
    assert answers.stray == (str(tmp_path / "scores.csv"),)
    assert answers.format == "native"
    (tmp_path / "x.csv").write_text("task,response\nx,a\n")  # answers, for all that one can see
    with pytest.raises(PolyAssayError, match=r"x\.csv is in no known format"):
        read_answers(tmp_path, "t", by_name(a_suite("s", "x", "y")))


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("task,response", 'Rename "response" to "answer"; nothing was run.'),
        ("ID,Code", 'Rename "id" to "task" and "code" to "answer"; nothing was run.'),
        ("task_id,answer", 'Rename "task_id" to "task"; nothing was run.'),
    ],
)
def test_a_column_of_another_name_is_told(tmp_path, header, hint):
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\nx,a\n")
    with pytest.raises(PolyAssayError, match="is in no known format") as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert raised.value.hint == hint


def test_a_slip_of_the_pen_is_told_alone(tmp_path):
    path = write(tmp_path / "a.jsonl", {"task": "x", "anwser": "a"})
    with pytest.raises(PolyAssayError) as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert raised.value.hint == 'For "anwser": did you mean "answer"?'


def test_a_slip_in_a_field_that_may_be_missing_is_told(tmp_path):
    path = write(tmp_path / "a.jsonl", {"task": "x", "answer": "a", "sampel": 3})
    with pytest.raises(PolyAssayError, match='line 1: "sampel" is not a field of an answer; did'):
        read_answers(path, "t", by_name(a_suite("s", "x")))


def test_an_ambiguous_file_lists_what_it_may_be(tmp_path):
    record = {"task": "x", "answer": "a", "task_id": "x", "code": "b"}
    path = write(tmp_path / "a.jsonl", record)
    with pytest.raises(PolyAssayError, match="its format cannot be told") as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert "native or aixbench" in raised.value.hint
    forced = read_answers(path, "t", by_name(a_suite("s", "x")), format="aixbench")
    assert told(forced, "answer") == [("b",)]


def test_unknown_format_and_missing_path(tmp_path):
    with pytest.raises(PolyAssayError, match='no format "runes"') as raised:
        read_answers(tmp_path, "t", {}, format="runes")
    assert all(name in raised.value.hint for name in FORMATS)
    with pytest.raises(PolyAssayError, match="There is no"):
        read_answers(tmp_path / "nope", "t", {})
    with pytest.raises(PolyAssayError, match="holds no answers"):
        read_answers(tmp_path, "t", {})


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path):
    bad = [f'{{"task": "x", "answer": "a", "sample": "s{i}"}}' for i in range(23)]
    path = write(tmp_path / "a.jsonl", *[{"task": "x", "answer": "good"}])
    path.write_text(path.read_text() + "\n".join(bad))
    with pytest.raises(PolyAssayError) as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    lines = raised.value.problem.splitlines()
    assert len(lines) == 21
    assert [line.split("line ")[1].split(":")[0] for line in lines[:20]] == [
        str(number) for number in range(2, 22)
    ]
    assert lines[-1].strip() == "… and 3 more."


def test_an_unknown_task_is_told_with_the_nearest_one(tmp_path):
    rows = [{"task": "pad-left", "answer": "a"}, {"task": "padleft", "answer": "b"}]
    path = write(tmp_path / "a.jsonl", *rows)
    found = read_sources([f"t={path}"], by_name(a_suite("s", "pad-left")), None, False, None)
    (remark,) = [remark for remark in found.remarks if "do not have" in remark]
    assert remark.endswith('padleft (did you mean "pad-left"?)')


def test_a_table_is_read_as_its_lines_would_be(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('\ufefftask;answer;sample\r\nx;"def f():\n  return ""a;b"""\r\n;\r\nx;;4\r\n')
    answers = read_answers(path, "t", by_name(a_suite("s", "x")))
    assert told(answers, "answer") == [('def f():\n  return "a;b"',), ("",)]
    assert [one.key.sample for one in answers.candidates] == [0, 4]
    assert answers.format == "native"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x,a,1,b", "line 4: has 4 cells, and the first line names 3"),
        ("x,a,two", 'line 4: "sample" must be a whole number, found "two"'),
    ],
)
def test_a_bad_line_of_a_table_is_named(tmp_path, row, problem):
    path = tmp_path / "a.csv"
    path.write_text(f'task,answer,sample\nx,"a\nb",0\n{row}\n')
    with pytest.raises(PolyAssayError) as raised:
        read_answers(path, "t", by_name(a_suite("s", "x")))
    assert problem in raised.value.problem
    path.write_bytes(b"task,answer\nx,\xff\n")
    with pytest.raises(PolyAssayError, match="is not UTF-8"):
        read_answers(path, "t", by_name(a_suite("s", "x")))


def test_each_format_has_its_row_in_the_documents() -> None:
    rows = (TOOLS.parent / "docs" / "answers.md").read_text("utf-8")
    assert [name for name in FORMATS if f"\n| `{name}` |" not in rows] == []


def test_unknown_tasks_are_told_beside_bad_lines_and_by_what_was_meant(tmp_path: Path) -> None:
    suites = {"demo": make_suite("demo", [make_task("initials"), make_task("build-order")])}
    path = tmp_path / "a.jsonl"
    good, slip, other = '{"task": "initials", "answer": "x"}', "initails", "quite-another"
    lines = [json.dumps({"task": task, "answer": "x"}) for task in (slip, other)]
    path.write_text("\n".join([good, "{", *lines]))
    with pytest.raises(PolyAssayError) as error:
        read_answers(path, "t", suites)
    bad, first, second = error.value.problem.splitlines()
    assert "line 2" in bad
    assert 'line 3: no suite of this run has a task "initails"; did you mean "initials"?' in first
    assert second.endswith('line 4: no suite of this run has a task "quite-another".')
    path.write_text("\n".join(lines))
    with pytest.raises(PolyAssayError) as error:
        read_answers(path, "t", suites)
    assert error.value.problem.endswith("of demo: it answers initails, quite-another.")
    assert error.value.hint.startswith('did you mean "initials"? Nothing was run.')
