"""Each folder of programs/ is a task, an answer and the program that must be made of it.

`expected.java` or `expected.py` is the program; `expected.json` has what is told about it.
"""

import json
import subprocess
from pathlib import Path

import pytest

from polyassay.candidates import make_program
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Program, Style, Task

CASES = sorted((Path(__file__).parent / "programs").iterdir())


def read_case(case: Path) -> tuple[Task, Candidate]:
    fields = json.loads((case / "task.json").read_text("utf-8"))
    form = AnswerForm(fields.pop("form", "answer"))
    language = Language(fields.pop("language"))
    style = Style(fields.pop("style", "junit" if language is Language.JAVA else "function"))
    task = Task(case.name, "golden", language, style, {"en": "…"}, **fields)
    answer = (case / "answer.txt").read_bytes().decode("utf-8")
    return task, Candidate(CandidateKey("golden", task.id, "tool", "en", 0), answer, form)


def made(case: Path) -> Program:
    return make_program(*read_case(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_program(case: Path) -> None:
    program = made(case)
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    told = {"notes": list(program.notes), "problem": program.problem}
    assert told | {"first_line": program.first_line} == {
        "notes": expected.get("notes", []),
        "problem": expected.get("problem", ""),
        "first_line": expected.get("first_line", 1),
    }
    sources = list(case.glob("expected.java")) + list(case.glob("expected.py"))
    wanted = sources[0].read_bytes().decode("utf-8") if sources else ""
    assert program.source == wanted
    if "code" in expected:
        assert program.code == (wanted if expected["code"] == "all of it" else expected["code"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_lines_of_the_answer_can_be_found_in_the_program(case: Path) -> None:
    program = made(case)
    lines = program.source.splitlines()[program.first_line - 1 :]
    for number, line in enumerate(program.code.splitlines()):
        marks = line.replace(" ", "").replace("\t", "")
        if (
            line.endswith(";")
            and "package" not in line
            and "import" not in line
            and not program.problem
        ):
            assert (
                lines[number]
                .replace(" ", "")
                .replace("static", "")
                .endswith(marks.replace("static", ""))
            )


def test_javac_takes_the_java_programs(tmp_path: Path) -> None:
    """All in one go; cases that no compiler should take say so."""
    sources: dict[Path, str] = {}
    for case in CASES:
        task, _ = read_case(case)
        expected = json.loads((case / "expected.json").read_text("utf-8"))
        if task.language is Language.JAVA and expected.get("builds", True):
            sources |= {tmp_path / "support" / path: text for path, text in task.support.items()}
            name = task.class_name.replace(".", "/") + ".java"
            sources[tmp_path / case.name / name] = made(case).source
    for path, text in sources.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    command = ["javac", "-proc:none", "-encoding", "UTF-8", "-d", str(tmp_path / "classes")]
    command += map(str, sources)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
