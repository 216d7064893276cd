"""Every row of a score file is checked, and what is wrong is named by row."""

import csv
import io
import json
from collections.abc import Sequence

import pytest

from made import make_task
from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.files import (
    COLUMNS,
    Checked,
    check_rows,
    read_rows,
    strangers,
    write_csv,
    write_jsonl,
)

RUBRIC = rubrics.load("aixbench")
TASKS = {
    "manual": {
        **{f"t{n}": make_task(f"t{n}", 0) for n in (1, 2, 3)},
        "t0": make_task("t0", 0, prompts={"en": "Do", "zh": "做"}),
    }
}


def row(task: int, dimension: str, score: object, tool: str = "finch", grader: str = "ann") -> list:
    return ["manual", f"t{task}", tool, "en", 0, grader, dimension, score, ""]


def written(rows: Sequence[Sequence[object]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([COLUMNS, *rows])
    return out.getvalue().encode()


def check(content: bytes, jsonl: bool = False) -> Checked:
    return check_rows(read_rows(content, "scores", jsonl), RUBRIC, TASKS.get)


BAD = {
    "unknown suite": (["nope", "t1", "f", "en", 0, "ann", "quality", 1, ""], 'no suite "nope"'),
    "unknown task": (row(999, "quality", 1), 'has no task "t999"'),
    "too high": (row(1, "quality", 4), 'quality is 1 to 3, found "4"'),
    "too low": (row(1, "quality", 0), 'quality is 1 to 3, found "0"'),
    "no number": (row(1, "quality", "two"), 'found "two"'),
    "half points": (row(1, "quality", "2.5"), 'found "2.5"'),
    "no score": (row(1, "quality", ""), 'found ""'),
    "wrong dimension": (row(1, "beauty", 1), 'no dimension "beauty"'),
    "duplicate": (row(2, "quality", 2), "repeats row 1"),
    "no grader": (row(1, "quality", 1, grader=" "), 'has no "grader"'),
    "no tool": (row(1, "quality", 1, tool=""), 'has no "tool"'),
    "sample": (["manual", "t1", "f", "en", "x", "ann", "quality", 1, ""], "sample must be"),
    "which prompt": (["manual", "t0", "f", "", 0, "ann", "quality", 1, ""], "the task has en, zh"),
    "no such prompt": (["manual", "t0", "f", "fr", 0, "ann", "quality", 1, ""], 'in "fr", only in'),
    "short row": (["manual", "t1"], "has 2 fields where the header has 9"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_and_the_good_ones_are_kept_apart(name: str) -> None:
    bad, problem = BAD[name]
    found = check(written([row(2, "quality", 1), row(3, "quality", 1), bad]))
    assert [str(bad) for bad in found.bad] == [f"row 3 (line 4): {found.bad[0].problem}"]
    assert problem in found.bad[0].problem
    assert [score.key.task for _, score in found.scores] == ["t2", "t3"]


def test_bytes_that_are_not_utf8_are_named_by_row() -> None:
    content = written([row(1, "quality", 1), [*row(2, "quality", 1)[:-1], "café"]])
    found = check(content.replace("é".encode(), b"\xe9"))
    assert [str(bad) for bad in found.bad] == ["row 2 (line 3): is not UTF-8"]
    with pytest.raises(PolyAssayError, match="scores is UTF-16"):
        check(content.decode().encode("utf-16"))
    assert [s.comment for _, s in check(b"\xef\xbb\xbf" + content).scores] == ["", "café"]


def test_jsonl_rows_are_checked_alike() -> None:
    good = dict(zip(COLUMNS, row(1, "quality", 1), strict=True))
    lines = [
        json.dumps(good),
        "[]",
        "{",
        json.dumps(good | {"points": 1}),
        json.dumps(good | {"score": 2.5}),
        json.dumps(good | {"score": True}),
        json.dumps(good | {"task": 7}),
        json.dumps(good | {"comment": [7]}),
        json.dumps(good | {"grader": "x" * 201}),
        json.dumps(good | {"score": 3}),
    ]
    found = check("\n".join(lines).encode(), jsonl=True)
    assert len(found.scores) == 1
    assert {bad.number: bad.problem for bad in found.bad} == {
        2: "is not an object",
        3: "is not JSON",
        4: 'has the unknown field "points"',
        5: "quality is 1 to 3, found 2.5",
        6: "quality is 1 to 3, found true",
        7: 'the suite "manual" has no task "7"',
        8: "comment must be text, found [7]",
        9: '"grader" is longer than 200 characters',
        10: "repeats row 1",
    }


def test_a_wrong_header_and_broken_quotes_are_told() -> None:
    with pytest.raises(PolyAssayError, match='line 1: the header has no column "tool"'):
        check(b"suite,task,points\n")
    with pytest.raises(PolyAssayError, match="line 1: the header has columns"):
        check((",".join([*COLUMNS, "mood"]) + "\n").encode())
    with pytest.raises(PolyAssayError, match="line 1: the header"):
        check(b"")
    broken = written([row(1, "quality", 1)]) + b'manual,t2,finch,en,0,ann,quality,2,"never closed\n'
    assert [str(bad)[:30] for bad in check(broken).bad] == ["row 2 (line 3): is not CSV: un"]


def test_what_may_be_missing_is_filled_in() -> None:
    header = [name for name in COLUMNS if name not in ("prompt_language", "sample", "comment")]
    (found,) = check(f"{','.join(header)}\nmanual, t1 ,finch,ann,quality,3\n".encode()).scores
    assert (found[1].key.task, found[1].key.prompt_language, found[1].key.sample) == ("t1", "en", 0)


def test_what_is_written_is_read_as_it_was() -> None:
    hard = 'says "no", at\nline 2; é 做'
    content = written([row(1, "quality", 1), [*row(2, "correctness", 4)[:-1], hard]])
    scores = [score for _, score in check(content).scores]
    assert scores[1].comment == hard
    for text, jsonl in ((write_csv(scores), False), (write_jsonl(scores), True)):
        assert [score for _, score in check(text.encode(), jsonl).scores] == scores


def test_a_tool_that_nobody_knows_is_told_where_others_are_known() -> None:
    scores = [score for _, score in check(written([row(1, "quality", 1, tool="finh")])).scores]
    assert strangers(scores, {}) == strangers(scores, {"manual": {"finh"}}) == []
    (told,) = strangers(scores, {"manual": {"heron", "finch"}})
    assert told == (
        'Nobody has run or graded answers of "finh" to manual before: did you mean "finch"? '
        "known are finch, heron."
    )
