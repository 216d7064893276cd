"""Whatever the text, a program comes out or a problem is told, and always the same one."""

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyassay.candidates import make_program
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Style, Task
from real_parts import missing

KEY = CandidateKey("s", "t", "tool", "en", 0)
JAVA = Task(
    *("t", "s", Language.JAVA, Style.JUNIT, {"en": "…"}),
    class_name="org.example.Clamp",
    signature="public static int clamp(int x, int low, int high)",
)
TASKS = [
    JAVA,
    Task(
        *("t", "s", Language.JAVA, Style.JUNIT, {"en": "…"}),
        class_name="Clamp",
        context="import java.util.*;\n\nclass Clamp {\n    int clamp(int x, int low) {\n",
        extra={"extends": "org.example.Base"},
    ),
    Task(
        *("t", "s", Language.PYTHON, Style.FUNCTION, {"en": "…"}),
        entry="clamp",
        signature="def clamp(x, low, high)",
    ),
    Task(
        *("t", "s", Language.PYTHON, Style.FUNCTION, {"en": "…"}),
        entry="clamp",
        context="import math\n\ndef clamp(x):\n\treturn ",
        suffix="\n\treturn x",
    ),
    *(
        Task("t", "s", Language.PYTHON, style, {"en": "…"}, entry="Clamp")
        for style in (Style.CLASS, Style.SETS, Style.PROGRAM, Style.PYTEST, Style.CELL)
    ),
]
PIECES = [
    *(
        "def clamp(x):\n",
        "    return x\n",
        "class Clamp:\n",
        "\tpass\n",
        "```python\n",
        "```\n",
        "~~~",
    ),
    *("public class Clamp {", "}", "{", "int clamp(int x) ", "return x ;", "import java.util.*;"),
    *(
        "package a.b;\n",
        '"',
        "'",
        '"""',
        "/*",
        "*/",
        "//",
        "\n",
        "\r",
        " - > ",
        "@Override ",
        "static ",
    ),
    *(
        "\ufeff",
        "\x00",
        "\ud800",
        "Sure, here it is:\n",
        "class ",
        "(",
        ")",
        "<T> ",
        "enum X",
        "record ",
    ),
    *(
        "if True:\n",
        "@",
        "\\",
        "lambda: 0",
        "async ",
        "clamp = 1\n",
        "self",
        "extends A ",
        "：",
        "import",
    ),
]
ANSWERS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Odd escapes in answers make the parser warn; that is the answers' affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(TASKS), ANSWERS, st.sampled_from(AnswerForm))
def test_any_text_gives_a_program_or_a_problem(task: Task, answer: str, form: AnswerForm) -> None:
    candidate = Candidate(KEY, answer, form)
    program = make_program(task, candidate)
    assert program == make_program(task, candidate)
    assert not (program.source and program.problem)
    assert 1 <= program.first_line <= program.source.count("\n") + 1


@pytest.mark.parametrize(
    "piece",
    [
        *("(", "{", '"', "/*", "a.", "- ", "\n", "import ", "```\n", "int f(", " ", "x = 1\n"),
        *("@", "'", "\\", "class X {"),
    ],
)
@pytest.mark.parametrize("task", [JAVA, TASKS[3]], ids=["java", "python"])
def test_long_and_deep_text(task: Task, piece: str) -> None:
    program = make_program(task, Candidate(KEY, piece * 10_000))
    assert program.source or program.problem


def test_known_malformed_records(shared_data: Path) -> None:
    """Answers written to break readers: each becomes a program or a problem."""
    path = shared_data.parent / "hostile" / "known.jsonl"
    if not path.exists():
        missing("public data", f"there is no {path}")
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    malformed = [record for record in records if record["kind"] == "malformed"]
    assert malformed
    for record in malformed:
        task, recipe = record["task"], record.get("recipe") or {}
        java = record["language"] == "java"
        made_for = Task(
            *("t", "s", Language(record["language"]), Style.JUNIT if java else Style.FUNCTION, {}),
            entry=task.get("entry", ""),
            class_name=task.get("class_name", ""),
            signature=task.get("signature", ""),
        )
        answer = record["candidate"]
        if answer is None:
            times = recipe["times"]
            answer = recipe["prefix"] + recipe["unit"] * times + recipe.get("middle", "")
            answer += recipe.get("unit2", "") * times + recipe["suffix"]
        program = make_program(made_for, Candidate(KEY, answer))
        assert bool(program.source) != bool(program.problem), record["id"]
        if "fenced block" in record["description"]:
            assert program.notes[0] == "from a fenced block"
            assert "```" not in program.source
