"""Which kind takes a file, and MultiPL-E's form."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from command_line import write_jsonl
from polyassay.cli import polyassay
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style
from polyassay.suites import ADAPTERS
from polyassay.suites.kinds import likely_kind
from polyassay.suites.manifest import Manifest, sha256
from polyassay.suites.native.fields import Fields
from polyassay.suites.public.translated import multipl_e

STRLEN = {
    "name": "HumanEval_23_strlen",
    "language": "py",
    "prompt": "def strlen(string: str) -> int:\n    ''' The length of a string. '''\n",
    "tests": "def check(candidate):\n    assert candidate('x') == 1\n\n"
    "def test_check():\n    check(strlen)\n\ntest_check()\n",
    "stop_tokens": ["\ndef"],
}
HUMANEVAL = ("task_id", "prompt", "entry_point", "canonical_solution", "test")
JAVA_TESTS = (
    "    }\n    public static void main(String[] args) {\n"
    '    assert(f((long)f(1), "f(").equals("\\"f("));\n    assert(g.f(2) == f(2));\n    }\n\n}\n'
)


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (STRLEN, "multipl-e"),
        ({"task_id": "Java/0", "prompt": "", "test": ""}, "humaneval-x"),
        ({"task_id": "NumpyEval/0", "prompt": "", "test": ""}, "numpyeval"),
        (dict.fromkeys(HUMANEVAL), "humaneval"),
        (dict.fromkeys(("id", "language", "style", "tests")), "native"),
        ({"text": "anything"}, ""),
    ],
)
def test_a_kind_is_known_by_its_fields(tmp_path: Path, row: dict[str, object], kind: str) -> None:
    assert likely_kind(write_jsonl(tmp_path / "a.jsonl", [row])) == kind
    listed = tmp_path / "b.json"
    listed.write_text(json.dumps([row]))
    assert likely_kind(listed) == kind
    packed = tmp_path / "folder" / "c.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(json.dumps(row).encode()))
    assert likely_kind(packed.parent) == kind
    (tmp_path / "d.json").write_text("no JSON")
    assert likely_kind(tmp_path / "d.json") == ""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("java/exercises/practice/x.txt", "aider-polyglot"),
        ("python/exercises/practice/x.txt", "aider-polyglot"),
        ("src/main/java/com/aixcode/X.java", "aixbench"),
        ("exeds_test.json", "exeds"),
        ("suite.toml", "native"),
    ],
)
def test_a_checkout_is_known_by_what_it_has(tmp_path: Path, place: str, kind: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    other = tmp_path / "other.jsonl"
    other.write_text("{}")
    assert likely_kind(tmp_path) == kind and likely_kind(other) == ""
    assert likely_kind(tmp_path / "exeds_test.json") == ("exeds" if kind == "exeds" else "")


def test_a_refusal_names_the_kind_that_takes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "humaneval-py.jsonl", [STRLEN])
    add = ["suites", "add", "humaneval", "--from", "humaneval-py.jsonl"]
    error = CliRunner().invoke(polyassay, add).exception
    assert isinstance(error, PolyAssayError)
    assert "polyassay suites add multipl-e --from humaneval-py.jsonl" in error.hint
    write_jsonl(tmp_path / "other.jsonl", [{"what": "ever"}])
    error = CliRunner().invoke(polyassay, [*add[:-1], "other.jsonl"]).exception
    assert isinstance(error, PolyAssayError) and "kind" not in error.hint


def test_multipl_e_in_python(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "humaneval-py.jsonl", [STRLEN])
    (suite,) = ADAPTERS["multipl-e"](tmp_path, None)
    (task,) = suite.tasks
    assert (suite.name, suite.version) == ("multipl-e-python", "1.0+modified")
    assert (task.language, task.style, task.entry) == (Language.PYTHON, Style.FUNCTION, "strlen")
    assert task.id == "HumanEval_23_strlen" and task.cluster == "humaneval/23"
    assert task.tests[0].code.endswith("test_check()\n") and not task.together_because


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"language": "rb"}, '"language" must be one of java, py'),
        ({"tests": "assert True"}, '"tests" must define check'),
        ({"stop_tokens": "x"}, '"stop_tokens"'),
    ],
)
def test_other_rows_are_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    write_jsonl(tmp_path / "humaneval-py.jsonl", [STRLEN | change])
    with pytest.raises(PolyAssayError, match=words):
        ADAPTERS["multipl-e"](tmp_path, None)


def test_the_python_rows_of_humaneval_x_are_named(tmp_path: Path) -> None:
    row = {"task_id": "Python/0", "prompt": "def f():\n", "test": "check(f)", "stop_tokens": []}
    file = write_jsonl(tmp_path / "humaneval-python.jsonl", [row])
    with pytest.raises(PolyAssayError, match="HumanEval-X in Python") as error:
        ADAPTERS["multipl-e"](file, None)
    assert "humaneval-py.jsonl" in error.value.hint


def test_java_assertions_call_the_method_by_its_class() -> None:
    row = Fields("a", {"tests": JAVA_TESTS})
    assert multipl_e._conditions(row, "f", "Problem") == [
        'Problem.f((long)Problem.f(1), "f(").equals("\\"f(")',
        "g.f(2) == Problem.f(2)",
    ]
    with pytest.raises(PolyAssayError, match="lines are assertions"):
        multipl_e._conditions(Fields("a", {"tests": "assert(true);"}), "f", "Problem")


def test_java_tasks_need_their_jar(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="need javatuples"):
        multipl_e._jar(tmp_path / "humaneval-java.jsonl", "0")
    jar = tmp_path / "javatuples-1.2.jar"
    jar.write_bytes(b"PK")
    assert multipl_e._jar(tmp_path, sha256(jar)) == jar


def test_a_packed_file_is_the_file(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_text("{}")
    packed.write_bytes(gzip.compress(b"{}"))
    manifest = Manifest("1", "", "", "", "", {"a": sha256(plain)}, Fields("", {}))
    assert manifest.version_of({"a": plain}) == manifest.version_of({"a": packed}) == "1"
    packed.write_bytes(gzip.compress(b"[]"))
    assert manifest.version_of({"a": packed}) == "1+modified"
