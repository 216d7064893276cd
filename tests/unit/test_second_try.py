"""What second tries ask, what they keep, and what they refuse."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from made import make_task, make_verdict
from polyassay.errors import PolyAssayError
from polyassay.generate.answer_file import AnswerFile
from polyassay.generate.records import line_of
from polyassay.generate.replies import Finish, Reply, Tokens
from polyassay.generate.second_try import (
    MOST,
    FirstTry,
    output_of,
    second_name,
    second_plan,
)
from polyassay.generate.tools import Tool, tool_from
from polyassay.model import AnswerForm, Candidate, CandidateKey, Outcome, Suite, TestStatus
from polyassay.prompts import render, settings_from

TASKS = tuple(make_task(name, entry="f") for name in ("good", "bad"))
SUITES = {"s": Suite("s", "1", "0" * 64, TASKS)}
SETTINGS = settings_from({"template": "chat"})
ORIGIN = {"finish": "complete", "tokens": {"input": 5, "output": 2}, "cost": 0.5}


def tool(**values: Any) -> Tool:
    named = {"name": "x", "via": "command", "command": ["x"], **values}
    return replace(tool_from(named, "test"), name="x[tries:2]")


def first(task: str, passed: int, **fields: Any) -> FirstTry:
    key = CandidateKey("s", task, "heron", "en", 0)
    candidate = Candidate(key, f"def f(): return {passed}", origin=ORIGIN)
    return FirstTry(replace(candidate, **fields), make_verdict(task, passed))


def planned(firsts: list[FirstTry], file: AnswerFile | None = None, **values: Any) -> Any:
    return second_plan(tool(**values), SUITES, lambda task, _: render(task, SETTINGS), firsts, file)


def test_what_failed_is_asked_again_with_the_tests_output() -> None:
    plan = planned([first("good", 2), first("bad", 1)])
    (question,), (line,) = plan.questions, plan.kept
    assert (plan.wanted, plan.present, plan.missing) == (2, 0, 1)
    *_, said, told = question.prompt.messages
    assert (said.role, said.content) == ("assistant", "def f(): return 1")
    assert told.role == "user" and "test_1 failed" in told.content
    assert "test_0" not in told.content and question.prompt.text.endswith(told.content)
    assert question.prompt.hash != render(TASKS[1], SETTINGS).hash
    assert (line["task"], line["tool"], line["answer"]) == (
        "good",
        "x[tries:2]",
        "def f(): return 2",
    )
    assert line["origin"]["tries"] == 1


def test_a_file_goes_on_and_refuses_other_first_tries(tmp_path: Path) -> None:
    firsts = [first("good", 2), first("bad", 1)]
    plan = planned(firsts)
    reply = Reply("def f(): return 2", Finish.COMPLETE, tokens=Tokens(7, 3), cost=0.25)
    with AnswerFile(tmp_path / "x.jsonl") as file:
        file.add(plan.kept)
        file.add([line_of(tool(), plan.questions[0], 0, reply, 1, 0.1, "now")])
        again = planned(firsts, file)
        assert (again.present, again.missing, again.kept) == (2, 0, ())
        with pytest.raises(PolyAssayError, match="follows other first tries"):
            planned([first("good", 2, answer="other")], file)
        with pytest.raises(PolyAssayError, match="asked for otherwise"):
            planned([first("bad", 0)], file)
    second = json.loads((tmp_path / "x.jsonl").read_text().splitlines()[1])["origin"]
    assert (second["tries"], second["cost"]) == (2, 0.75)
    assert (second["tokens"]["input"], second["tokens"]["output"]) == (12, 5)
    assert second["tokens"]["cached"] is None  # unknown is never 0


def test_what_no_tool_could_mend_stays() -> None:
    broken = first("bad", 0)
    ours = FirstTry(broken.candidate, replace(broken.verdict, outcome=Outcome.HARNESS_ERROR))
    assert planned([ours]).questions == ()
    files = first("good", 2, answer='{"a.py": "x"}', form=AnswerForm.FILES, origin=None)
    (line,) = planned([files]).kept
    assert (line["answer"], line["files"], line["origin"]["cost"]) == ("", {"a.py": "x"}, None)
    (line,) = planned([first("good", 2, form=AnswerForm.PROGRAM)]).kept
    assert line["form"] == "program"


def test_the_output_is_told_and_bounded() -> None:
    verdict = make_verdict("bad", 1)
    assert output_of(replace(verdict, reason="does not compile")).startswith("does not compile\n")
    assert output_of(replace(verdict, tests=(), reason="")) == "failed"
    long = replace(verdict.tests[1], message="x" * 2 * MOST, status=TestStatus.ERROR)
    assert len(output_of(replace(verdict, tests=(long,)))) == MOST + 2


def test_names() -> None:
    assert second_name("gpt") == "gpt[tries:2]"
    assert second_name("gpt[examples:1]") == "gpt[examples:1,tries:2]"


def test_tools_that_keep_no_conversation_are_refused() -> None:
    with pytest.raises(PolyAssayError, match="cannot be told what it answered"):
        planned([first("bad", 1)], via="workspace")
    with pytest.raises(PolyAssayError, match="with another prompt"):
        planned([first("bad", 1, origin={**ORIGIN, "prompt_sha256": "0"})])
