"""Java tasks in folders, which the JDK reads."""

from pathlib import Path
from typing import Any

import pytest

from command_line import write_jsonl
from polyassay.errors import PolyAssayError
from polyassay.suites.native import jsonl as native
from unit.test_folder import SUITE, lay_out


def test_java_tasks(tmp_path: Path) -> None:
    files = {
        "max/task.toml": 'language = "java"\nstyle = "junit"\nclass_name = "p.Max"\n',
        "max/Max.java": "package p;\npublic class Max {}\n",
        "max/MaxTest.java": "package p;\nclass MaxTest { @Test void b() { new Max(); }\n"
        " @org.junit.Test public void a() {} }\n",
        "max/Shape.java": "package p;\ninterface Shape {}\n",
    }
    (task,) = native.read(lay_out(tmp_path, SUITE | files), None)[0].tasks
    assert task.reference == files["max/Max.java"]
    assert [test.name for test in task.tests] == ["b", "a"]
    assert task.support == {"Shape.java": files["max/Shape.java"]}


SUM = "public class Main { public static void main(String[] args) { System.out.print(3); } }\n"
HEAD = 'language = "java"\nprompts = { en = "Do it." }\n'
CASE = {"sum/task.toml": HEAD, "sum/cases/a.out": "3"}
INITIALS = {
    "initials/task.toml": HEAD + 'class_name = "p.Initials"\n',
    "initials/InitialsTest.java": "package p;\nclass InitialsTest { @Test void a() {} }\n",
    "initials/initials.java": "package p;\nclass Initials {}\n",
}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (CASE | {"sum/Sum.java": SUM}, "Sum.java defines Main.*the reference. Call it Main.java"),
        (
            CASE | {"sum/Sum.java": SUM.replace("Main", "Sum")},
            "Sum.java has main; is it the reference. Call it Main.java",
        ),
        (CASE | {"sum/Main.java": SUM, "sum/S.java": SUM}, "S.java defines Main.*cannot have"),
        (INITIALS, "initials.java defines Initials.*Call it Initials.java"),
    ],
)
def test_a_reference_under_another_name_is_no_support(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    with pytest.raises(PolyAssayError, match=words):
        native.read(lay_out(tmp_path / "mine", SUITE | files), None)
    support = {name.split("/")[1]: text for name, text in files.items() if name.endswith(".java")}
    row: dict[str, Any] = {
        "id": "t",
        "language": "java",
        "prompts": {"en": "Do it."},
        "reference": "",
    }
    row |= {"support": {name: support[name] for name in support if "Test" not in name}}
    if "sum/cases/a.out" in files:
        row |= {"style": "program", "tests": [{"stdout": "3"}]}
    else:
        row |= {"style": "junit", "class_name": "p.Initials"}
        row |= {"test_source": files["initials/InitialsTest.java"] + "// Initials"}
    with pytest.raises(PolyAssayError, match=r"mine.jsonl, line 1: .*\.java (defines|has main)"):
        native.read(write_jsonl(tmp_path / "mine.jsonl", [row]), None)


def test_support_beside_an_answer_may_define_anything_else(tmp_path: Path) -> None:
    files = CASE | {"sum/Main.java": SUM, "sum/Help.java": "class Help { static int one; }\n"}
    (task,) = native.read(lay_out(tmp_path, SUITE | files), None)[0].tasks
    assert list(task.support) == ["Help.java"]
