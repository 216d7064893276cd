"""The helper process: same programs as in-process, and it outlives what it reads."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyassay import helper_process
from polyassay.candidates import ProgramMaker, make_program, maker
from polyassay.candidates.program import MOST_CHARACTERS
from polyassay.model import (
    AnswerForm,
    Candidate,
    CandidateKey,
    Language,
    Program,
    Style,
    Task,
    Test,
)

KEY = CandidateKey("s", "t", "tool", "en", 0)
JAVA = Task(
    *("j", "s", Language.JAVA, Style.JUNIT, {"en": "…"}),
    class_name="a.Clamp",
    signature="public int clamp(int x)",
    support={
        "a/Base.java": "package a;\n\nimport java.awt.List;\n\npublic class Base {}",
        "a/Date.java": "…",
    },
    extra={"extends": "a.Base"},
)
PYTHON = Task("p", "s", Language.PYTHON, Style.FUNCTION, {"en": "…"}, entry="clamp")
ANSWERS = [
    (JAVA, "public static int clamp(int x) { List list = null; Date day = null; return x; }"),
    (PYTHON, "def clamp(x):\n    return '\ud800\x00é'\n"),
    (PYTHON, "def clamp_it(x):\n    return x\n"),
    (JAVA, ""),
]


@pytest.mark.parametrize(("task", "answer"), ANSWERS)
@pytest.mark.parametrize("form", AnswerForm)
def test_makes_what_make_program_makes(task: Task, answer: str, form: AnswerForm) -> None:
    candidate = Candidate(KEY, answer, form)
    with ProgramMaker() as programs:
        assert programs.make(task, candidate) == make_program(task, candidate)
        assert programs.make(PYTHON, Candidate(KEY, "def clamp(): 1")).source == "def clamp(): 1"


def child_of(programs: ProgramMaker) -> int:
    assert programs._child is not None
    return programs._child.pid


def test_one_child_serves_many_answers_and_none_is_left() -> None:
    with ProgramMaker() as programs:
        programs.make(PYTHON, Candidate(KEY, "def clamp(): 0"))
        first = child_of(programs)
        for number in range(50):
            programs.make(PYTHON, Candidate(KEY, f"def clamp(): {number}"))
        assert child_of(programs) == first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    programs.close()  # may be called twice


def test_a_child_that_was_killed_costs_no_answer() -> None:
    """As an OOM killer ends it, while it waits and while it has an answer in hand."""
    with ProgramMaker() as programs:
        programs.make(PYTHON, Candidate(KEY, "def clamp(): 0"))
        for number in range(3):
            os.kill(child_of(programs), 9)
            made = programs.make(PYTHON, Candidate(KEY, f"def clamp(): {number}"))
            assert (made.problem, made.source) == ("", f"def clamp(): {number}")


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from polyassay.candidates import reader
made, mark = reader._made, {mark!r}
def once(task, it):
    if "heavy" in it.answer and not os.path.exists(mark):
        os.mkdir(mark)
        os.kill(os.getpid(), 9)
    return made(task, it)
reader._made = once
reader.serve()
"""


def test_an_answer_in_hand_is_read_again_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(helper_process, "START", KILLED.format(mark=str(tmp_path / "killed")))
    texts = ["def clamp(): 0", "def clamp(): heavy", "def clamp(): 2"]
    with ProgramMaker() as programs:
        made = programs.make_all([(PYTHON, Candidate(KEY, text)) for text in texts])
    assert (tmp_path / "killed").is_dir()
    assert [program.source for program in made] == texts


@pytest.mark.parametrize("style", [Style.JUNIT, Style.FUNCTION])
def test_a_reader_knows_neither_tests_nor_reference(style: Style) -> None:
    secrets: dict[str, Any] = {
        "reference": "SECRET",
        "setup": "SECRET",
        "prompts": {"en": "SECRET"},
    }
    source = "package SECRETLESS;\nimport java.util.List;\nclass T { int SECRET; }\n"
    tests = (Test("SECRET", "SECRET", "SECRET", "SECRET"),)
    task = replace(JAVA, style=style, tests=tests, test_source=source, **secrets)
    told = json.dumps(maker._needed(task))
    assert "SECRET" not in told.replace("SECRETLESS", "")
    assert "import java.util.List;" in told


@pytest.mark.parametrize("task", [JAVA, PYTHON])
@pytest.mark.parametrize("form", [AnswerForm.ANSWER, AnswerForm.COMPLETION, AnswerForm.PROGRAM])
def test_one_limit_for_every_answer(task: Task, form: AnswerForm) -> None:
    code = "int clamp(int x) { return 1; }" if task is JAVA else "def clamp(x): return 1"
    comment = ("// " if task is JAVA else "# ") + "x" * 90 + "\n"
    with ProgramMaker() as programs:
        padding = comment * ((MOST_CHARACTERS - 100) // len(comment))
        whole = f"```{task.language}\n{code}\n{padding}\n```\n"
        assert programs.make(task, Candidate(KEY, whole, form)).problem == ""
        long = programs.make(task, Candidate(KEY, whole + "x" * 2_000_000, form))
        assert "1,000,000 are the most that is read" in long.problem
        assert f"{len(whole) + 2_000_000:,} characters" in long.problem


def test_several_at_once_are_the_same_as_one_by_one() -> None:
    texts = ["def clamp(): 0", "no code", "def clamp(): 2", "def other(): 3"]
    candidates = [Candidate(KEY, text) for text in texts]
    empty = Candidate(KEY, "", AnswerForm.EMPTY)
    pairs = [(PYTHON, c) for c in candidates] + [(JAVA, c) for c in candidates] + [(PYTHON, empty)]
    with ProgramMaker() as programs:
        assert programs.make_all(pairs) == [make_program(task, c) for task, c in pairs]
        assert programs.make_all([]) == []


DYING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from polyassay.candidates import reader
made = reader._made
reader._made = lambda task, it: os._exit(1) if "die" in it.answer else made(task, it)
reader.serve()
"""


def test_an_answer_that_ends_the_child_does_not_harm_its_neighbours(monkeypatch) -> None:
    monkeypatch.setattr(helper_process, "START", DYING)
    texts = ["def clamp(): 0", "def clamp(): die", "def clamp(): die", "def clamp(): 3"]
    with ProgramMaker() as programs:
        made = programs.make_all([(PYTHON, Candidate(KEY, text)) for text in texts])
    assert [program.source for program in made] == [texts[0], "", "", texts[3]]
    assert [bool(program.problem) for program in made] == [False, True, True, False]
    assert [program.code for program in made] == texts


SLOW_TO_DIE = """
import os, signal, sys, time
os.close(1)
time.sleep(1)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_how_a_child_ended_is_known_however_long_its_end_takes(monkeypatch) -> None:
    monkeypatch.setattr(helper_process, "START", SLOW_TO_DIE)
    child = helper_process.HelperProcess("", 60.0)
    with pytest.raises(helper_process.HelperEnded):
        child.receive()
    assert child.close()  # killed by something else


def test_a_child_that_hangs_is_killed() -> None:
    with ProgramMaker(deadline=0.0) as programs:
        assert programs.make(PYTHON, Candidate(KEY, "x" * 900_000)) == Program(
            "", code="x" * 900_000, problem="reading the answer takes too long"
        )
        assert programs._child is None


@pytest.mark.parametrize("reply", [b"", b"[]", b"{}", b'{"notes": 1}', b"\xff", b"[" * 100_000])
def test_nonsense_from_the_child_is_a_problem(reply: bytes) -> None:
    with pytest.raises(helper_process.HelperEnded):
        maker._program(reply)


def test_replies_keep_every_field() -> None:
    program = Program("source", 3, "code", ("one", "two"), "")
    fields = {
        "source": "source",
        "first_line": 3,
        "code": "code",
        "notes": ["one", "two"],
        "problem": "",
    }
    assert maker._program(json.dumps(fields).encode()) == program
