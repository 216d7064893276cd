"""A suite laid out as projects: what is in them, what is told of edits, what is taken."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from polyassay.collect import manifest, project, records, take
from polyassay.collect.manifest import Item, Manifest
from polyassay.collect.project import Wanted, lay_out
from polyassay.collect.state import State, status
from polyassay.collect.stubs import project_files, workspace_files
from polyassay.comparison import AnswerType
from polyassay.comparison.cell import OUTPUT, Cell
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task, Test

SECRET_TEST, SECRET_REFERENCE = "assert secret_check()", "secret_reference = 42"


def python_task(name: str, **fields: Any) -> Task:
    given: dict[str, Any] = {
        "style": Style.FUNCTION,
        "prompts": {"en": f"Do {name}.", "zh": "做"},
        "tests": (Test("test_0", SECRET_TEST),),
        "entry": "clamp",
        "signature": "def clamp(x, low, high)",
        "setup": SECRET_TEST,
        "reference": SECRET_REFERENCE,
    } | fields
    return Task(id=name, suite="s", language=Language.PYTHON, **given)


def java_task(name: str, **fields: Any) -> Task:
    given: dict[str, Any] = {
        "prompts": {"en": "Pad it with \\u escapes and */ ends."},
        "tests": (Test("pads"),),
        "class_name": "text.Pad",
        "signature": "public static List<Row> pad(String s, int n) throws IOException",
        "test_source": SECRET_TEST,
        "support": {
            "text/Row.java": "package text; public class Row { Column c; }",
            "text/Column.java": "package text; public class Column { }",
            "text/Evaluation.java": f"package text; class Evaluation {{ /* {SECRET_TEST} */ }}",
        },
        "reference": SECRET_REFERENCE,
    } | fields
    return Task(id=name, suite="s", language=Language.JAVA, style=Style.JUNIT, **given)


def cell_task(name: str) -> Task:
    cell = Cell(("import math", "x = 3"), AnswerType.TEXT, (SECRET_TEST,))
    return Task(
        *(name, "s", Language.PYTHON, Style.CELL),
        {"en": "x = 3\n\n# What is x squared?\n"},
        (OUTPUT,),
        data_files={"data.csv": "YSxi"},
        reference=SECRET_REFERENCE,
        extra=cell.to_extra(),
    )


SUITE = Suite(
    "s",
    "1",
    "sum",
    (
        *(python_task(f"p{n}") for n in range(4)),
        java_task("j/0"),
        cell_task("notes/3"),
        python_task(
            "bank", solution={"bank/account.py": "A = None\n", "bank/log.py": "L = None\n"}
        ),
    ),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay_out(tmp_path / "mine", Wanted({"s": SUITE}, "finch", 2, seed=7))
    return tmp_path / "mine"


def item_of(made: Manifest, task: str, sample: int = 0) -> Item:
    return next(item for item in made.items if (item.task, item.sample) == (task, sample))


def stub_of(folder: Path, task: str, sample: int = 0) -> Path:
    return folder / next(iter(item_of(manifest.read(folder), task, sample).stubs))


def taken(folder: Path) -> dict[tuple[str, int], Mapping[str, object]]:
    made = manifest.read(folder)
    rows = take.lines(folder, made, status(folder, made), records.read(folder))
    return {(row["task"], row["sample"]): row for row in rows}


def test_no_test_and_no_reference_is_in_a_project(folder: Path) -> None:
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert len(texts) > 20
    assert not [text for text in texts if "secret" in text]
    for task in SUITE.tasks:
        files = workspace_files(task, {}, "")
        given = [stub.text for stub in files.stubs.values()]
        given += [content.decode() for content in files.given.values()]
        assert not [text for text in given if "secret" in text]


def test_every_sample_is_a_project_with_an_order_of_its_own(tmp_path: Path, folder: Path) -> None:
    made = manifest.read(folder)
    orders = [[i.task for i in made.items if i.sample == sample] for sample in (0, 1)]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(task.id for task in SUITE.tasks)
    assert orders[0] != orders[1]
    again = lay_out(tmp_path / "again", Wanted({"s": SUITE}, "finch", 2, seed=7))
    other = lay_out(tmp_path / "other", Wanted({"s": SUITE}, "finch", 2, seed=8))
    assert again.items == made.items
    assert other.items != made.items


def test_a_stub_has_the_prompt_and_what_the_tests_call() -> None:
    (python,) = project_files(SUITE.tasks[0], {}, "zh", "m").stubs.values()
    assert "# 做\n" in python.text
    assert python.text.endswith("def clamp(x, low, high):\n    raise NotImplementedError\n")
    files = project_files(java_task("j"), {}, "", "m")
    (java,) = files.stubs.values()
    assert "// Pad it with \\\\u escapes and */ ends." in java.text
    assert "package text;\n\nimport java.io.*;\nimport java.util.*;\n" in java.text
    assert list(files.stubs) == ["src/main/java/text/Pad.java"]
    # Row is in the signature, Column in Row; the evaluation is the tests' own.
    assert list(files.given) == [f"src/main/java/text/{n}.java" for n in ("Row", "Column")]


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        ({"context": "def f(x):\n\treturn ", "entry": "f"}, "def f(x):\n    return None\n"),
        (
            {"context": 'def f(x):\n    """Doc."""\n', "entry": "f"},
            '    """Doc."""\n    raise NotImplementedError\n',
        ),
        (
            {"context": "def f(x):\n\t", "suffix": "\n\treturn y", "entry": "f"},
            "def f(x):\n    raise NotImplementedError\n\n    return y\n",
        ),
        (
            {"context": "def f(x):\n    return max(", "suffix": ")", "entry": "f"},
            "    return max(None)\n",
        ),
        ({"signature": "class Stack", "entry": "Stack"}, "class Stack:\n    pass\n"),
        ({"signature": "", "entry": "similar"}, "# It must be called similar.\n\n"),
        ({"signature": "", "entry": "", "style": Style.SETS}, "# Do p.\n\n"),
    ],
)
def test_python_stubs_compile(fields: dict[str, object], ending: str) -> None:
    (stub,) = workspace_files(python_task("p", **fields), {}, "").stubs.values()
    assert stub.text.endswith(ending)
    compile(stub.text, "stub", "exec")


@pytest.mark.parametrize("prompt", ["-*- coding: klingon -*-", "a\rb\x0cc\0d\u2028e", 'x"""y'])
def test_no_prompt_breaks_a_stub(prompt: str) -> None:
    (stub,) = workspace_files(python_task("p", prompts={"en": prompt}), {}, "").stubs.values()
    compile(stub.text.encode(), "stub", "exec")


def test_java_stubs_of_contexts_and_several_methods() -> None:
    opened = java_task("j", context="class Pad {\n    /** Doc. */\n    int pad(int n) {\n")
    (stub,) = workspace_files(opened, {}, "").stubs.values()
    assert stub.text.endswith(
        "    int pad(int n) {\n        throw new UnsupportedOperationException();\n    }\n}\n"
    )
    several = java_task("j", signature="public int a();\npublic void b(String s);")
    (stub,) = workspace_files(several, {}, "").stubs.values()
    assert stub.text.count("throw new UnsupportedOperationException();") == 2


@pytest.mark.parametrize("modifier", ["", "public "])
def test_java_stubs_have_the_constructors_that_tests_call(modifier: str) -> None:
    task = java_task("j", signature=f"{modifier}Pad(int start); int add(int n); Pad twin()")
    (stub,) = workspace_files(task, {}, "").stubs.values()
    assert "    public Pad(int start) {\n        throw" in stub.text
    assert "int add(int n) {" in stub.text
    assert "Pad twin() {" in stub.text


def test_untouched_filled_outside_and_missing(folder: Path) -> None:
    made = manifest.read(folder)
    assert status(folder, made).counts == {
        "untouched": 14,
        "filled": 0,
        "edited_outside": 0,
        "missing": 0,
    }
    stub_of(folder, "p0").write_text("def clamp(x, low, high):\n    return x\n")
    blank = stub_of(folder, "p1")
    blank.write_bytes(blank.read_bytes().replace(b"\n", b"  \r\n") + b"\r\n")  # an editor's doing
    stub_of(folder, "p2").unlink()
    java = stub_of(folder, "j/0")
    java.write_text(java.read_text().replace("throw new", "throw  new"))
    (java.parent / "Row.java").write_text("package text; public class Row { }")
    test = java.parents[3] / "test/java/PadTest.java"
    test.parent.mkdir(parents=True)
    test.write_text("class PadTest { }")
    (folder / "sample-1/build.gradle").unlink()
    (folder / "sample-0/__pycache__").mkdir()
    (folder / "sample-0/__pycache__/x.pyc").write_bytes(b"\0")
    found = status(folder, made)
    assert found.counts == {"untouched": 11, "filled": 1, "edited_outside": 1, "missing": 1}
    assert found.changed == (str((java.parent / "Row.java").relative_to(folder)),)
    assert found.deleted == ("sample-1/build.gradle",)
    assert found.added == (str(test.relative_to(folder)),)
    assert sorted(taken(folder)) == [("j/0", 0), ("p0", 0)]


def test_what_was_written_is_taken_exactly(folder: Path) -> None:
    odd = "def clamp(x, low, high):\r\n\treturn '\u2028é' \n\n\n"
    stub = stub_of(folder, "p0", 1)
    header = stub.read_bytes().partition(b"def clamp")[0]
    stub.write_bytes(header + odd.encode())
    whole = stub_of(folder, "p1")
    whole.write_bytes(odd.encode())
    changed = stub_of(folder, "p2")  # the comment is not ours any more
    changed.write_bytes(b"# Mine.\n" + header + odd.encode())
    rows = taken(folder)
    assert rows["p0", 1]["answer"] == rows["p1", 0]["answer"] == odd
    assert rows["p2", 0]["answer"] == "# Mine.\n" + header.decode() + odd


def test_a_notebook_gives_the_code_behind_its_context(folder: Path) -> None:
    path = stub_of(folder, "notes/3")
    book = json.loads(path.read_text())
    assert ["".join(cell["source"]) for cell in book["cells"][:2]] == ["import math", "x = 3"]
    assert "# What is x squared?\n" in book["cells"][2]["source"]
    book["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "hello"}]
    path.write_text(json.dumps(book))
    assert status(folder, manifest.read(folder)).counts["untouched"] == 14
    book["cells"][2]["source"].append("y = x ** 2\n")
    book["cells"].append({"cell_type": "code", "source": "y", "id": "new", "outputs": []})
    path.write_text(json.dumps(book))
    assert status(folder, manifest.read(folder)).counts["filled"] == 1
    assert taken(folder)["notes/3", 0]["answer"] == "y = x ** 2\n\n\ny"
    book["cells"][1]["source"] = ["x = 4"]
    path.write_text(json.dumps(book))
    (found,) = (one for one in status(folder, manifest.read(folder)).found if one.answers)
    assert found.state is State.EDITED_OUTSIDE
    path.write_text("no notebook")
    assert status(folder, manifest.read(folder)).counts["missing"] == 1


def test_several_files_are_taken_by_their_paths(folder: Path) -> None:
    stub_of(folder, "bank").write_text("A = 1\n")
    assert taken(folder)["bank", 0]["files"] == {
        "bank/account.py": "A = 1\n",
        "bank/log.py": "L = None\n",
    }


def test_new_sources_beside_solution_files_are_taken(folder: Path) -> None:
    stub = stub_of(folder, "bank")
    stub.write_text("A = 1\n")
    for name in ("fees.py", "test_fees.py", "notes.txt"):
        (stub.parent / name).write_text("X = 1\n")
    (stub.parent.parent / "outside.py").write_text("X = 1\n")
    (stub.parent / "linked.py").symlink_to("/etc/hostname")
    assert list(taken(folder)["bank", 0]["files"]) == [  # type: ignore[call-overload]
        *("bank/account.py", "bank/log.py", "bank/fees.py")
    ]
    left = [Path(path).name for path in status(folder, manifest.read(folder)).added]
    assert left == ["linked.py", "notes.txt", "test_fees.py", "outside.py"]


def test_a_link_is_never_followed(tmp_path: Path, folder: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "p0.py").write_text("secret")
    stub = stub_of(folder, "p0")
    stub.unlink()
    stub.symlink_to(secret / "p0.py")
    java = stub_of(folder, "j/0")
    (secret / "Pad.java").write_text("secret")
    for file in java.parent.iterdir():
        file.unlink()
    java.parent.rmdir()
    java.parent.symlink_to(secret)
    assert taken(folder) == {}
    assert status(folder, manifest.read(folder)).counts["missing"] == 2


def test_origin_says_what_a_person_said(folder: Path) -> None:
    stub_of(folder, "p0").write_text("x")
    made = manifest.read(folder)
    about = made.about.updated(model="m", mode="chat", edited_by_person=False)
    manifest.with_about(folder, made, about)
    origin = taken(folder)["p0", 0]["origin"]
    assert isinstance(origin, dict)
    assert origin["via"] == "collect"
    assert (origin["model"], origin["mode"], origin["edited_by_person"]) == ("m", "chat", False)
    assert origin["tool_version"] is None
    assert len(origin["prompt_sha256"]) == 64


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x")
    for name in ("mine", "full"):
        with pytest.raises(PolyAssayError, match="not empty"):
            lay_out(tmp_path / name, Wanted({"s": SUITE}, "finch", 1, 0))


def test_a_prompt_language_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match='no prompt in "zh", the first is j/0'):
        lay_out(tmp_path / "mine", Wanted({"s": SUITE}, "finch", 1, 0, "zh"))
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 2}', '{"version": 1, "items": 3}'])
def test_a_broken_manifest_is_told(folder: Path, text: str) -> None:
    (folder / manifest.NAME).write_text(text)
    with pytest.raises(PolyAssayError, match=r"collect\.json cannot be read"):
        manifest.read(folder)


def test_names_of_projects_are_safe() -> None:
    assert project._slug("HumanEval/0 ünï ..\\x") == "humaneval-0-n-x"
    assert project._slug("日本") == "task"
