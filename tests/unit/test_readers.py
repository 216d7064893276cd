"""Answer files of every known format become candidates, and what does not is counted."""

import gzip
import json

import pytest

from answer_files import a_suite, by_name, told, write
from polyassay.candidates import empty_candidates, read_answers, reference_candidates
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Language, Style, Suite, Task

HUMAN_EVAL = a_suite("humaneval", "HumanEval/0", "HumanEval/1", "HumanEval/10")
ODEX = Suite(
    "odex",
    "1",
    "sum",
    tuple(
        Task(f"{nl}/{line}", "odex", Language.PYTHON, Style.FUNCTION, {nl: "x"}, entry="f")
        for nl, lines in {"en": 3, "es": 2, "ja": 2}.items()
        for line in range(lines)
    ),
)


def test_native_lines_need_only_task_and_answer(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        {"task": "x", "answer": "first"},
        {"task": "x", "answer": "second"},
        {"task": "y", "answer": "third", "tool": "other", "sample": 4, "prompt_language": "en"},
    )
    answers = read_answers(path, "mine", by_name(a_suite("s", "x", "y", "z")))
    assert answers.format == "native"
    assert told(answers, "task", "tool", "sample", "answer") == [
        ("x", "mine", 0, "first"),
        ("x", "mine", 1, "second"),
        ("y", "other", 4, "third"),
    ]


def test_human_eval_completions_plain_and_gzipped(tmp_path):
    lines = b'{"task_id": "HumanEval/0", "completion": "    return 1\\n"}\n' * 2
    (tmp_path / "a.jsonl").write_bytes(lines)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines))
    for name in ("a.jsonl", "b.jsonl.gz"):
        answers = read_answers(tmp_path / name, "t", by_name(HUMAN_EVAL))
        assert answers.format == "human-eval"
        assert told(answers, "task", "sample", "form") == [
            ("HumanEval/0", 0, AnswerForm.COMPLETION),
            ("HumanEval/0", 1, AnswerForm.COMPLETION),
        ]


def test_evalplus_solution_wins_over_completion(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        {"task_id": "HumanEval/0", "completion": "c", "solution": "s"},
        {"task_id": "HumanEval/1", "completion": "c"},
    )
    answers = read_answers(path, "t", by_name(HUMAN_EVAL))
    assert answers.format == "evalplus"
    assert told(answers, "answer", "form") == [
        ("s", AnswerForm.PROGRAM),
        ("c", AnswerForm.COMPLETION),
    ]


def test_evalplus_folders_are_read_in_the_order_of_their_numbers(tmp_path):
    for place in ("HumanEval_10/0.py", "HumanEval_0/10.py", "HumanEval_0/2.py"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(place)
    answers = read_answers(tmp_path, "t", by_name(HUMAN_EVAL))
    assert answers.format == "evalplus"
    assert told(answers, "task", "sample", "answer") == [
        ("HumanEval/0", 2, "HumanEval_0/2.py"),
        ("HumanEval/0", 10, "HumanEval_0/10.py"),
        ("HumanEval/10", 0, "HumanEval_10/0.py"),
    ]


def test_bigcode_lists_follow_the_order_of_the_suite(tmp_path):
    path = tmp_path / "generations.json"
    path.write_text(json.dumps([["a", "b"], ["c"], []]))
    other = a_suite("other", "p", "q")
    answers = read_answers(path, "t", by_name(other, HUMAN_EVAL))
    assert answers.format == "bigcode"
    assert told(answers, "task", "sample", "answer", "form") == [
        ("HumanEval/0", 0, "a", AnswerForm.PROGRAM),
        ("HumanEval/0", 1, "b", AnswerForm.PROGRAM),
        ("HumanEval/1", 0, "c", AnswerForm.PROGRAM),
    ]


def test_bigcode_with_more_answers_than_tasks_is_refused(tmp_path):
    path = tmp_path / "generations.json"
    path.write_text(json.dumps([["a"]] * 4))
    with pytest.raises(PolyAssayError, match="holds 4 answers, but humaneval has 3 tasks"):
        read_answers(path, "t", by_name(HUMAN_EVAL))


@pytest.mark.parametrize("name", ["predictions_es.jsonl", "es/out.jsonl"])
def test_odex_part_by_name(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    path = write(tmp_path / name, {"predictions": ["a", "b"]}, {"predictions": ["c"]})
    answers = read_answers(path, "t", by_name(ODEX))
    assert answers.format == "odex"
    assert told(answers, "task", "sample", "answer", "prompt_language") == [
        ("es/0", 0, "a", "es"),
        ("es/0", 1, "b", "es"),
        ("es/1", 0, "c", "es"),
    ]


def test_odex_part_by_length_or_not_at_all(tmp_path):
    (tmp_path / "out.json").write_text(json.dumps([{"predictions": ["a"]}] * 3))
    answers = read_answers(tmp_path / "out.json", "t", by_name(ODEX))
    assert told(answers, "task") == [("en/0",), ("en/1",), ("en/2",)]
    (tmp_path / "out.json").write_text(json.dumps([{"predictions": ["a"]}] * 2))
    with pytest.raises(PolyAssayError, match="Which part of ODEX") as raised:
        read_answers(tmp_path / "out.json", "t", by_name(ODEX))
    assert "predictions_en.jsonl" in raised.value.hint


def test_a_bad_odex_line_keeps_the_places_of_the_others(tmp_path):
    path = tmp_path / "en.jsonl"
    path.write_text('{"predictions": ["a"]}\n{oops\n{"predictions": ["c"]}\n')
    answers = read_answers(path, "t", by_name(ODEX), skip_bad=True)
    assert told(answers, "task", "answer") == [("en/0", "a"), ("en/2", "c")]
    assert len(answers.bad_lines) == 1


def test_mxeval_is_told_by_its_language_field(tmp_path):
    record = {"task_id": "HumanEval/0", "completion": "x", "language": "python"}
    answers = read_answers(write(tmp_path / "a.jsonl", record), "t", by_name(HUMAN_EVAL))
    assert (answers.format, answers.candidates[0].form) == ("mxeval", AnswerForm.COMPLETION)


def test_aixbench_predictions_and_classes(tmp_path):
    suite = a_suite("aixbench", "0", "17", language=Language.JAVA, style=Style.JUNIT)
    record = {
        "task_id": 17,
        "raw_nl": "…",
        "signature": "int f()",
        "code": "int f() {}",
        "end_by": "x",
    }
    answers = read_answers(write(tmp_path / "p.jsonl", record), "t", by_name(suite))
    assert answers.format == "aixbench"
    assert told(answers, "task", "answer") == [("17", "int f() {}")]
    folder = tmp_path / "copilot"
    folder.mkdir()
    for number in (0, 17, 999):
        (folder / f"GenerateMethod{number}.java").write_text(f"class GenerateMethod{number} {{}}")
    answers = read_answers(folder, "t", by_name(suite))
    assert (answers.format, answers.unknown) == ("aixbench", {"999": 1})
    assert told(answers, "task", "form") == [("0", AnswerForm.PROGRAM), ("17", AnswerForm.PROGRAM)]


def test_exeds_generations_are_joined_on_the_code_without_spaces(tmp_path):
    suite = Suite(
        "exeds",
        "1",
        "sum",
        tuple(
            Task(i, "exeds", Language.PYTHON, Style.CELL, {"en": "x"}, reference=code)
            for i, code in {"n/1": "df.head( 3 )", "n/2": "len(df)", "m/1": "len( df )"}.items()
        ),
    )
    path = tmp_path / "g.json"
    records = [
        {"target": "df . head(3)", "generation": "a"},
        {"target": "len (df)", "generation": "b"},
        {"target": "len(df)", "generation": "c"},
        {"target": "other()", "generation": "d"},
    ]
    path.write_text(json.dumps(records))
    answers = read_answers(path, "t", by_name(suite))
    assert answers.format == "exeds"
    assert told(answers, "task", "answer") == [("n/1", "a"), ("n/2", "b"), ("m/1", "c")]
    assert answers.unknown == {"target other()": 1}


def test_a_folder_of_files_is_one_set_of_answers(tmp_path):
    write(tmp_path / "a.jsonl", {"task": "x", "answer": "one"})
    write(tmp_path / "b.jsonl", {"task_id": "x", "completion": "two"})
    (tmp_path / "README.md").write_text("not answers")
    answers = read_answers(tmp_path, "t", by_name(a_suite("s", "x")))
    assert answers.format == "native and human-eval"
    assert told(answers, "sample", "answer") == [(0, "one"), (1, "two")]


def test_several_files_are_numbered_through(tmp_path):
    paths = [write(tmp_path / f"{n}.jsonl", {"task": "x", "answer": n}) for n in "ab"]
    answers = read_answers(paths, "t", by_name(a_suite("s", "x")))
    assert told(answers, "sample", "answer") == [(0, "a"), (1, "b")]


def test_unknown_tasks_are_counted(tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        *({"task": name, "answer": "…"} for name in ("x", "nope", "nope")),
        {"task": "x", "answer": "…", "suite": "elsewhere"},
    )
    answers = read_answers(path, "t", by_name(a_suite("s", "x")))
    assert answers.unknown == {"nope": 2, "elsewhere: x": 1}
    assert len(answers.candidates) == 1


def test_equal_duplicates_collapse_and_are_counted(tmp_path):
    line = {"task": "x", "answer": "same", "sample": 0}
    answers = read_answers(write(tmp_path / "a.jsonl", line, line), "t", by_name(a_suite("s", "x")))
    assert (len(answers.candidates), answers.duplicates) == (1, {"x": 1})


def test_other_text_under_the_same_key_is_refused_unless_skipped(tmp_path):
    lines = [{"task": "x", "answer": text, "sample": 0} for text in ("one", "two")]
    path = write(tmp_path / "a.jsonl", *lines)
    with pytest.raises(PolyAssayError, match='line 2: sample 0 of task "x" was there before'):
        read_answers(path, "t", by_name(a_suite("s", "x")))
    answers = read_answers(path, "t", by_name(a_suite("s", "x")), skip_bad=True)
    assert told(answers, "answer") == [("one",)]
    assert answers.duplicates == {"x": 1}
    assert len(answers.bad_lines) == 1


def test_an_answer_to_a_shared_prompt_counts_in_each_suite(tmp_path):
    path = write(tmp_path / "a.jsonl", {"task": "11", "answer": "…"})
    answers = read_answers(
        path, "t", by_name(a_suite("mbupp-mbpp", "11"), a_suite("mbupp-tests", "11"))
    )
    assert told(answers, "suite") == [("mbupp-mbpp",), ("mbupp-tests",)]


def test_a_shared_id_with_other_prompts_needs_the_suite(tmp_path):
    suites = by_name(a_suite("one", "11"), a_suite("two", "11", prompts={"en": "another question"}))
    path = write(tmp_path / "a.jsonl", {"task": "11", "answer": "…"})
    with pytest.raises(
        PolyAssayError, match='line 1: task "11" is another one in each of one, two'
    ):
        read_answers(path, "t", suites)
    path = write(tmp_path / "b.jsonl", {"task": "11", "answer": "…", "suite": "two"})
    assert told(read_answers(path, "t", suites), "suite") == [("two",)]


def test_prompt_language_is_the_only_one_or_english_with_a_note(tmp_path):
    path = write(tmp_path / "a.jsonl", {"task": "x", "answer": "…"})
    one = read_answers(path, "t", by_name(a_suite("s", "x", prompts={"ja": "…"})))
    assert (told(one, "prompt_language"), one.notes) == ([("ja",)], ())
    two = read_answers(path, "t", by_name(a_suite("s", "x", prompts={"ja": "…", "en": "…"})))
    assert told(two, "prompt_language") == [("en",)]
    assert two.notes == ("1 answer without a prompt language, counted as en",)


def test_byte_order_mark_and_line_ends_of_windows(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"task": "x", "answer": "a"}\r\n{"task": "x", "answer": "b"}\r\n'
    )
    answers = read_answers(path, "t", by_name(a_suite("s", "x")))
    assert told(answers, "sample", "answer") == [(0, "a"), (1, "b")]


def test_lone_surrogates_and_nul_are_text_like_any_other(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"task": "x", "answer": "\\ud83d \\u0000"}\n')
    assert told(read_answers(path, "t", by_name(a_suite("s", "x"))), "answer") == [("\ud83d \x00",)]


def test_built_in_tools():
    suite = Suite(
        "s",
        "1",
        "sum",
        (
            Task(
                "a",
                "s",
                Language.PYTHON,
                Style.FUNCTION,
                {"zh": "x"},
                entry="f",
                reference="def f(): pass",
            ),
            Task(
                *("b", "s", Language.PYTHON, Style.FUNCTION, {"en": "x", "zh": "y"}),
                entry="f",
                reference="1",
                extra={"reference_form": "completion"},
            ),
            Task("c", "s", Language.JAVA, Style.RUBRIC, {"en": "x"}),
        ),
    )
    reference, empty = reference_candidates(suite), empty_candidates(suite)
    assert [(c.key.task, c.key.prompt_language, c.form) for c in reference] == [
        ("a", "zh", AnswerForm.PROGRAM),
        ("b", "en", AnswerForm.COMPLETION),
    ]
    assert [(c.key.task, c.key.tool, c.form) for c in empty] == [
        ("a", "empty", AnswerForm.EMPTY),
        ("b", "empty", AnswerForm.EMPTY),
    ]


def test_real_predictions_of_aixbench(shared_data):
    path = shared_data / "aixbench" / "prediction.jsonl"
    ids = [str(json.loads(line)["task_id"]) for line in path.read_text("utf-8").splitlines()]
    answers = read_answers(path, "t", by_name(a_suite("aixbench", *ids)))
    assert (answers.format, len(answers.candidates)) == ("aixbench", 175)
