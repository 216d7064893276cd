"""What somebody sends is judged again; a verdict that was changed does not get through."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from command_line import PolyAssay, write_jsonl
from polyassay.model import Outcome, TestStatus
from polyassay.store import Store
from polyassay.store.moving.run_file import export_run

TASKS = [
    {
        "id": f"add-{n}",
        "language": "python",
        "style": "function",
        "entry": "add",
        "prompts": {"en": f"Add {n} to x"},
        "tests": [{"code": f"assert add(1) == {1 + n}"}, {"code": f"assert add(0) == {n}"}],
    }
    for n in range(4)
]
ANSWERS = [
    {"task": f"add-{n}", "tool": "finch", "answer": f"def add(x):\n    return x + {min(n, 2)}\n"}
    for n in range(4)
]


def found(result: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def test_a_run_is_judged_again_and_a_forged_verdict_is_found(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", TASKS)
    write_jsonl(tmp_path / "answers.jsonl", ANSWERS)
    assert (
        polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "adds").returncode
        == 0
    )
    assert polyassay("run", "-s", "adds", "-c", "answers.jsonl").returncode == 0
    assert polyassay("runs", "export", "latest", "finch.gz").returncode == 0

    honest = polyassay("leaderboard", "check", "finch.gz", "--json")
    assert honest.returncode == 0, honest.stderr
    assert found(honest)["can_be_ranked"]
    assert (found(honest)["judged_again"], found(honest)["same"]) == (4, 4)
    assert len(json.loads(polyassay("runs", "list", "--json").stdout)) == 1  # nothing was kept

    forge(tmp_path)
    forged = polyassay("leaderboard", "check", "forged.gz")
    assert forged.returncode == 100, forged.stderr
    assert "✗ verdicts" in forged.stdout
    assert "add-3 (en, sample 0) of finch was passed 2/2 and is failed 0/2" in forged.stdout
    unjudged = polyassay("leaderboard", "check", "forged.gz", "--without-judging", "--json")
    assert unjudged.returncode == 1  # only judging again finds it
    assert (found(unjudged)["judged_again"], found(unjudged)["can_be_ranked"]) == (0, None)
    told = polyassay("leaderboard", "check", "forged.gz", "--without-judging").stdout
    assert "can be ranked" not in told and "not judged here" in told

    (tmp_path / "cut.gz").write_bytes((tmp_path / "finch.gz").read_bytes()[:-20])
    cut = polyassay("leaderboard", "check", "cut.gz")
    assert cut.returncode == 2
    assert "Traceback" not in cut.stderr


def forge(folder: Path) -> None:
    """The same run, in which the answer that fails has passed, with a checksum that is right."""

    store = Store.at(folder / ".polyassay")
    run = store.run("latest")
    verdicts = [
        dataclasses.replace(
            verdict,
            outcome=Outcome.PASSED,
            passed=verdict.total,
            tests=tuple(
                dataclasses.replace(test, status=TestStatus.PASSED, message="")
                for test in verdict.tests
            ),
        )
        for verdict in store.verdicts(run.id)
    ]
    forger = Store.at(folder / "forger")
    copy = forger.start_run(store.suites(run).values(), store.candidates(run.id), run.provenance)
    forger.save_verdicts(copy.id, verdicts)
    with (folder / "forged.gz").open("wb") as file:
        export_run(forger, copy, file)


def test_answers_are_checked_by_their_ids(polyassay: PolyAssay, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", TASKS)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "adds")
    write_jsonl(tmp_path / "good.jsonl", ANSWERS[:3])
    good = polyassay("leaderboard", "check", "good.jsonl", "-s", "adds")
    assert good.returncode == 0, good.stderr
    assert "finch has no answer to 1 task of adds (add-3)" in good.stdout
    assert "3 of 3 answers of finch passed." in good.stdout
    assert "✗" not in good.stdout
    twice = {**ANSWERS[0], "sample": 0}
    write_jsonl(tmp_path / "bad.jsonl", [*ANSWERS, twice, twice, {**ANSWERS[1], "task": "ad-1"}])
    bad = polyassay("leaderboard", "check", "bad.jsonl", "-s", "adds", "--json")
    assert bad.returncode == 100
    told = " ".join(one["text"] for one in found(bad)["findings"] if one["refuses"])
    assert "given twice" in told
    assert "ad-1" in told
    assert polyassay("leaderboard", "check", "nowhere.gz").returncode == 2
    assert polyassay("leaderboard", "check", "good.jsonl").returncode == 2  # no suite was named
    (tmp_path / "empty.gz").write_bytes(b"")
    assert "empty.gz is empty" in polyassay("leaderboard", "check", "empty.gz").stderr
    both = [{**one, "prompts": {"en": "Add.", "de": "Addiere."}} for one in TASKS]
    write_jsonl(tmp_path / "both.jsonl", both)
    polyassay("suites", "add", "native", "--from", "both.jsonl", "--as", "both")
    bare = polyassay("leaderboard", "check", "good.jsonl", "-s", "both", "--without-judging")
    assert "· ids          3 answers without a prompt language" in bare.stdout


def test_a_copy_is_known_in_a_fence_too_and_some_answers_are_not_all(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", TASKS)
    write_jsonl(tmp_path / "answers.jsonl", ANSWERS)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "adds")
    polyassay("run", "-s", "adds", "-c", "answers.jsonl")
    chats = [
        {**one, "tool": "rook", "answer": f"Sure:\n```python\n{one['answer']}# rook\n```\nDone."}
        for one in ANSWERS
    ]
    write_jsonl(tmp_path / "chats.jsonl", chats)
    copied = polyassay("leaderboard", "check", "chats.jsonl", "-s", "adds")
    assert copied.returncode == 100, copied.stderr
    assert "✗ duplicates   4 of 4 answers of rook are those of finch" in copied.stdout

    some = polyassay("leaderboard", "check", "answers.jsonl", "-s", "adds", "--only", "2")
    assert some.returncode == 1, some.stderr
    assert "as far as 2 of 4 answers tell (--only 2)" in some.stdout


def test_a_disguised_reference_is_known(polyassay: PolyAssay, tmp_path: Path) -> None:
    tasks = [
        {**one, "reference": f"def add(x):\n    return x + {n}\n"} for n, one in enumerate(TASKS)
    ]
    write_jsonl(tmp_path / "tasks.jsonl", tasks)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "adds")
    answers = [
        {**one, "answer": f"import os\ndef add(it: int) -> int:\n    pass\n    return (it + {n})\n"}
        for n, one in enumerate(ANSWERS)
    ]
    hostile = "def add(x):\n    return " + "(" * 50_000
    write_jsonl(
        tmp_path / "sent.jsonl", [*answers, {**ANSWERS[0], "tool": "odd", "answer": hostile}]
    )
    found_ = polyassay("leaderboard", "check", "sent.jsonl", "-s", "adds")
    assert found_.returncode == 100, found_.stderr
    assert "✗ references   4 of 4 answers of finch are the suite's references" in found_.stdout
    assert "· references   0 of 1 answer of odd are the suite's references" in found_.stdout


def test_answers_are_judged_under_the_conditions_of_a_board(
    polyassay: PolyAssay, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "tasks.jsonl", TASKS)
    write_jsonl(tmp_path / "answers.jsonl", ANSWERS)
    polyassay("suites", "add", "native", "--from", "tasks.jsonl", "--as", "adds")
    polyassay("run", "-s", "adds", "-c", "answers.jsonl", "--limit", "3", "--timeout", "4")
    write_jsonl(tmp_path / "sent.jsonl", [{**one, "tool": "wren"} for one in ANSWERS[1:]])
    for flags in (("--like", "latest"), ("-s", "adds", "--limit", "3", "--timeout", "4")):
        told = polyassay("leaderboard", "check", "sent.jsonl", *flags)
        assert "wren has no answer to 1 task of adds (add-0)" in told.stdout, told.stderr
        assert "1 answer to tasks that do not count here: left out." in told.stdout
        assert "Judged with --limit (3): ranked on a board apart." in told.stdout
        assert "2 of 2 answers of wren passed." in told.stdout
    only = polyassay("leaderboard", "check", "sent.jsonl", "-s", "adds", "--task", "add-1")
    assert "Judged with --task (1 task)" in only.stdout and "no answer to" not in only.stdout
    both = polyassay("leaderboard", "check", "sent.jsonl", "--like", "latest", "--limit", "2")
    assert both.returncode == 2 and "--like takes all flags from the run" in both.stderr
    polyassay("runs", "export", "latest", "run.gz")
    of_run = polyassay("leaderboard", "check", "run.gz", "--limit", "2")
    assert of_run.returncode == 2 and "says itself which suites and flags" in of_run.stderr
