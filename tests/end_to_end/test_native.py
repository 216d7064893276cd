"""Native suites: every field goes there and back, and every mistake is named by line and field."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Limits, Style, Task, Test
from polyassay.suites.make import make_suite
from polyassay.suites.native import jsonl as native
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.task_json import task_from, task_to

CLAMP = {
    "id": "clamp",
    "language": "python",
    "style": "function",
    "entry": "clamp",
    "prompts": {"en": "Keep x between low and high."},
    "signature": "def clamp(x, low, high)",
    "setup": "import math",
    "tests": [{"name": "test_0", "code": "assert clamp(5, 0, 3) == 3"}],
    "reference": "def clamp(x, low, high):\n    return max(low, min(x, high))\n",
    "libraries": [],
    "tags": ["maths"],
    "limits": {"seconds": 5, "total_seconds": 20, "memory_mb": 256},
}
ECHO = {
    "id": "echo",
    "language": "python",
    "style": "program",
    "prompts": {"en": "Print the input."},
    "tests": [{"name": "test_0", "stdin": "a\n", "stdout": "a\n"}, {"stdin": "", "stdout": ""}],
}
SUM2 = {
    "id": "sum2",
    "language": "python",
    "style": "sets",
    "prompts": {"en": "Add two numbers."},
    "tests": {"original": ["f(1, 2) == 3", "f(0, 0) == 0"], "a/tuple": ["f((1, 2)) == 3"]},
}
MAX = {
    "id": "max",
    "language": "java",
    "style": "junit",
    "class_name": "Max",
    "prompts": {"en": "The largest."},
    "signature": "public static int max(int[] a)",
    "test_source": "import org.junit.jupiter.api.*;\nclass MaxTest {\n"
    "  @Test void findsLargest() { Assertions.assertEquals(2, Max.max(new int[] {1, 2})); }\n"
    "  void helper() {}\n  @Nested class Inner { @Test void alone() {} }\n}\n",
    "tests": [{"name": "findsLargest"}, {"name": "alone"}],
}


def write(path: Path, *tasks: object) -> Path:
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks), "utf-8")
    return path


def test_reads_the_forms_of_the_design(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", CLAMP, ECHO, SUM2, MAX)
    (suite,) = native.read(path, None)
    clamp, echo, sum2, largest = suite.tasks
    assert suite.name == "mine" and {task.suite for task in suite.tasks} == {"mine"}
    assert clamp.limits == Limits(5.0, 20.0, 256)
    assert clamp.tests == (Test("test_0", code="assert clamp(5, 0, 3) == 3"),)
    assert echo.tests[1] == Test("test_1")
    assert [test.name for test in sum2.tests] == [
        "original/test_0",
        "original/test_1",
        "a/tuple/test_0",
    ]
    assert list(sum2.sets) == ["original", "a/tuple"]
    assert largest.language is Language.JAVA and largest.style is Style.JUNIT


def test_junit_tests_may_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {k: v for k, v in MAX.items() if k != "tests"})
    (suite,) = native.read(path, "b")
    assert [test.name for test in suite.tasks[0].tests] == ["findsLargest", "alone"]


def test_methods_that_repeat_are_tests(tmp_path: Path) -> None:
    source = "class T { Max m; @ParameterizedTest void a(int n) {} @RepeatedTest(2) void b() {} }"
    path = write(tmp_path / "a.jsonl", MAX | {"test_source": source, "tests": [{"name": "b"}]})
    with pytest.raises(PolyAssayError, match='does not name a, which "test_source" has'):
        native.read(path, None)


def test_byte_order_mark_blank_lines_and_crlf_are_no_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(CLAMP).encode() + b"\r\n\r\n")
    assert len(native.read(path, None)[0].tasks) == 1


def test_fields_of_the_author_are_ignored(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", CLAMP | {"reviewed_by": "Ana", "prompt": "the old one"})
    assert native.read(path, "a")[0].tasks == native.read(write(path, CLAMP), "a")[0].tasks


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": 7}, ['"id"', "text", "7"]),
        ({"id": " "}, ['"id"', "empty"]),
        ({"language": "jva"}, ['"language"', "jva"]),
        ({"style": "junit"}, ['"style"', "python"]),
        ({"style": "functional"}, ['"style"', "functional"]),
        ({"tests": []}, ['"tests"', "empty"]),
        ({"tests": {"a": ["f()"]}}, ['"tests"', "list"]),
        ({"tests": [{"name": "a"}]}, ["tests[0]", '"code"', "missing"]),
        ({"tests": [{"code": "x", "name": "a"}] * 2}, ['"tests[1].name"', "repeats"]),
        ({"tests": ["assert x"]}, ["tests[0]", "object"]),
        ({"prompts": "do it"}, ['"prompts"', "object"]),
        ({"prompts": {"en": None}}, ['"prompts"', '"en"', "null"]),
        ({"limits": {"seconds": True}}, ['"limits"', '"seconds"', "number", "true"]),
        ({"limits": {"seconds": -1}}, ['"seconds"', "above zero"]),
        ({"limits": {"memory_mb": 0.5}}, ['"memory_mb"', "whole"]),
        ({"limits": {"minutes": 1}}, ['"minutes"', "not a limit"]),
        ({"files": {"a": "%%"}}, ['"files"', "base64"]),
        ({"files": {"../a": ""}}, ['"files"', "relative"]),
        ({"support": {"/etc/passwd": ""}}, ['"support"', "relative"]),
        ({"entry": "a b"}, ['"entry"', "name"]),
        ({"signature": "\ud800"}, ['"signature"', "surrogate"]),
        ({"tags": ["a", 1]}, ['"tags[1]"', "text"]),
        ({"extra": {"published_total": "4.5"}}, ['"extra.published_total"', "whole number"]),
        ({"needs_network": "yes"}, ['"needs_network"', "true or false"]),
    ],
)
def test_mistakes_are_named(tmp_path: Path, change: dict[str, object], words: list[str]) -> None:
    path = write(tmp_path / "a.jsonl", ECHO, CLAMP | change)
    with pytest.raises(PolyAssayError) as caught:
        native.read(path, None)
    assert caught.value.problem.startswith(f"{path}, line 2")
    assert all(word in caught.value.problem for word in words), caught.value.problem


@pytest.mark.parametrize(
    ("slip", "right"),
    [("test", "tests"), ("tag", "tags"), ("prompt", "prompts"), ("Setup", "setup")],
)
def test_a_slip_gets_a_suggestion(tmp_path: Path, slip: str, right: str) -> None:
    task = {(slip if name == right else name): value for name, value in CLAMP.items()}
    with pytest.raises(PolyAssayError, match=f'"{slip}" is not a field') as caught:
        native.read(write(tmp_path / "a.jsonl", task), None)
    assert f'did you mean "{right}"?' in caught.value.problem


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b'{"id": 1}\n{"id": "\xff"}\n', "line 2: not UTF-8"),
        (b'{"id": "a",}\n', "line 1: not JSON"),
        (b'{"id": "a\t"}\n', "line 1: not JSON: invalid control character at column 10"),
        (b"[1]\n", "line 1: must be an object"),
        (b'{"id": "a", "id": "b"}', 'the field "id" stands there twice'),
        (b'{"id": NaN}', "NaN"),
        (b'{"id": ' + b"[" * 100_000, "line 1: not JSON"),
        (b'{"id": ' + b"9" * 5000 + b"}", "line 1: not JSON"),
    ],
)
def test_files_that_are_no_suites(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(PolyAssayError, match=r"a\.jsonl") as caught:
        native.read(path, None)
    assert words in caught.value.problem


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="No such file"):
        native.read(tmp_path / "a.jsonl", None)


def test_two_tasks_of_one_id(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match='line 2: "id" repeats "clamp"'):
        native.read(write(tmp_path / "a.jsonl", CLAMP, CLAMP), None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tests": [{"name": "findsLargest"}]}, "does not name alone"),
        ({"tests": [{"name": "nope"}, {"name": "findsLargest"}]}, "names nope, and"),
        ({"test_source": "class MaxTest { Max m; void a() {} }"}, "no method with @Test"),
        ({"test_source": "class MaxTest { Max m; @Test void a( {} }"}, "is not Java: line 1"),
        ({"test_source": "class MxTest { @Test void a() {} }", "tests": [{"name": "a"}]}, "Max"),
        ({"test_source": "class T { Max m; @Test void a() {} @Test void a(int b) {} }"}, "two"),
        ({"signature": "public int max(int["}, '"signature" is not Java'),
        ({"class_name": "../Max"}, '"class_name" must be a name'),
    ],
)
def test_java_sources_are_checked(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = write(tmp_path / "a.jsonl", ECHO, MAX | change)
    with pytest.raises(PolyAssayError) as caught:
        native.read(path, None)
    assert caught.value.problem.startswith(f"{path}, line 2: ")
    assert words in caught.value.problem


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "class Max<T>",
        "class Max { Max(int limit); int max(int[] a); }",
        "<T> T max(List<T> a) throws E;",
        "public Max(int limit)",
        "public Max(int limit); public int max(int[] a)",
        "public Max(int limit)\npublic int max(int[] a)\n  throws E",
    ],
)
def test_signatures_of_methods_and_classes(tmp_path: Path, signature: str) -> None:
    native.read(write(tmp_path / "a.jsonl", MAX | {"signature": signature}), None)


def test_checksum_is_the_contents(tmp_path: Path) -> None:
    (first,) = native.read(write(tmp_path / "a.jsonl", CLAMP), "s")
    (second,) = native.read(write(tmp_path / "b.jsonl", dict(reversed(CLAMP.items()))), "s")
    (changed,) = native.read(write(tmp_path / "a.jsonl", CLAMP | {"tags": []}), "s")
    assert first.checksum == second.checksum != changed.checksum
    assert first.version == first.checksum[:8]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = texts.filter(str.strip)
identifiers = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
maps = st.dictionaries(names, texts, max_size=3)
paths = st.from_regex(r"[a-z]{1,5}(/[a-z.]{1,5}x){0,2}", fullmatch=True)
tests_of = {
    Style.FUNCTION: st.builds(Test, names, code=names),
    Style.CLASS: st.builds(Test, names, code=names),
    Style.PROGRAM: st.builds(Test, names, stdin=texts, stdout=texts),
}


@st.composite
def python_tasks(draw: st.DrawFn) -> Task:
    style = draw(st.sampled_from([*tests_of, Style.SETS]))
    if style is Style.SETS:
        sets = draw(st.dictionaries(names, st.lists(texts, min_size=1), min_size=1, max_size=3))
        tests = [Test(f"{n}/test_{i}", c) for n, codes in sets.items() for i, c in enumerate(codes)]
    else:
        tests = draw(st.lists(tests_of[style], min_size=1, unique_by=lambda test: test.name))
    return Task(
        id=draw(names),
        suite="s",
        language=Language.PYTHON,
        style=style,
        prompts=draw(maps),
        tests=tuple(tests),
        entry=draw(identifiers),
        context=draw(texts),
        suffix=draw(texts),
        setup=draw(texts),
        support=draw(st.dictionaries(paths, texts, max_size=2)),
        data_files=draw(
            st.dictionaries(
                paths, st.binary().map(lambda b: base64.b64encode(b).decode()), max_size=2
            )
        ),
        reference=draw(texts),
        libraries=tuple(draw(st.lists(texts, max_size=2))),
        tags=tuple(draw(st.lists(texts, max_size=2))),
        limits=draw(
            st.builds(
                Limits,
                st.floats(0.001, 1e6),
                st.integers(1, 10**6).map(float),
                st.integers(1, 10**6),
            )
        ),
        needs_network=draw(st.booleans()),
        tests_build_on_each_other=draw(st.booleans()),
        together_because=draw(texts),
        extra=draw(maps),
    )


@given(python_tasks())
def test_round_trip(task: Task) -> None:
    line = json.dumps(task_to(task), ensure_ascii=False)
    again = task_from(Fields("here", json.loads(line)), "s")
    assert again == task
    assert make_suite("s", [again]).checksum == make_suite("s", [task]).checksum


@pytest.mark.parametrize(
    ("libraries", "pins"),
    [
        ([], {"default": ("pytest",)}),
        (["numpy"], {"default": ("numpy", "pytest")}),
        (["pytest==8.0"], {"default": ("pytest==8.0",)}),
    ],
)
def test_an_environment_for_pytest_files_gets_pytest(
    tmp_path: Path, libraries: list[str], pins: dict[str, tuple[str, ...]]
) -> None:
    row: dict[str, object] = {"id": "t", "language": "python", "style": "pytest", "prompts": {}}
    row |= {"tests": [{"name": "test_a"}], "test_source": "def test_a(): pass"}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(row | {"libraries": libraries}))
    (suite,) = native.read(path, None)
    assert suite.libraries == pins
