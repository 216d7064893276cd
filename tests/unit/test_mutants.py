"""References changed in one place."""

from dataclasses import replace

import pytest

from made import make_task, make_verdict
from polyassay.model import AnswerForm, Language, Program, Style
from polyassay.trust.mutants.change import CodeChange, Kind
from polyassay.trust.mutants.draw import draw
from polyassay.trust.mutants.java import JavaMutations
from polyassay.trust.mutants.python import PythonMutations


def python(source: str, first: int = 1, last: int = 99) -> list[tuple[Kind, str]]:
    changes = PythonMutations().changes(source, first, last)
    return [(change.kind, change.applied(source.encode())) for change in changes]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("a + b", {(Kind.OPERATOR, "(a - b)")}),
        ("x -= y", {(Kind.OPERATOR, "x += y")}),
        ("-x", {(Kind.OPERATOR, "(x)")}),
        ("not x", {(Kind.CONDITION, "(x)")}),
        ("a and b", {(Kind.CONDITION, "(a or b)")}),
        ("a < b", {(Kind.BOUNDARY, "(a <= b)"), (Kind.CONDITION, "(a >= b)")}),
        ("a in b", {(Kind.CONDITION, "(a not in b)")}),
        ("f = 3", {(Kind.CONSTANT, "f = (4)"), (Kind.CONSTANT, "f = (2)")}),
        ("f = 2.5", {(Kind.CONSTANT, "f = (3.5)")}),
        ("f = True", {(Kind.CONSTANT, "f = (False)")}),
        ("f = ''", {(Kind.CONSTANT, "f = ('X')")}),
        ("f = b'e'", {(Kind.CONSTANT, "f = (b'')")}),
        ("f = None", set()),
        ("f.go()", {(Kind.CALL, "pass"), (Kind.CALL, "(f)")}),
        ("y = sorted(x)", {(Kind.CALL, "y = (x)")}),
        ("y = f(*x)", set()),
        ("if a: b", {(Kind.CONDITION, "if (not a): b")}),
        ("y = b if a else c", {(Kind.CONDITION, "y = b if (not a) else c")}),
        ("'''a docstring'''", set()),
        (
            "raise ValueError('no')",
            {(Kind.CALL, "raise ('no')"), (Kind.CONSTANT, "raise ValueError((''))")},
        ),
        ("x: List['a'] = y", set()),
        ("y = f'{1}'", set()),
        ("this is no Python", set()),
    ],
)
def test_python_is_changed_in_one_place(source: str, mutants: set[tuple[Kind, str]]) -> None:
    assert set(python(source)) == mutants


def test_a_return_gives_nothing() -> None:
    source = "def f(é):\n    return é\n"
    assert python(source) == [(Kind.RETURN, "def f(é):\n    return None\n")]
    assert python("def f():\n    return None\n") == []


def test_only_the_references_own_lines_are_changed() -> None:
    source = "a = b + c\nd = e + f\n"
    assert python(source, 2, 2) == [(Kind.OPERATOR, "a = b + c\nd = (e - f)\n")]


def test_python_that_compiles_to_the_same_code_is_known() -> None:
    task, harness = make_task("0"), None

    def same(first: str, second: str) -> bool:
        one, other = (
            PythonMutations().fingerprint(task, Program(source), harness)  # type: ignore[arg-type]
            for source in (first, second)
        )
        return one == other

    assert same("x = 1", "\n\nx = (1)")
    assert same("x = 2 + 2", "x = 4")
    assert not same("x = 1", "x = True")
    assert not same("x = 1", "x = 1.0")
    assert not same("def f(a): return a", "def f(b): return b")
    assert PythonMutations().fingerprint(task, Program("x = ("), harness) == b""  # type: ignore[arg-type]


JAVA = "class A {{ {head} {{ {body} }} }}"


@pytest.mark.parametrize(
    ("head", "body", "mutants"),
    [
        ("int f(int a)", "return a;", {(Kind.RETURN, "return 0;")}),
        ("String f(String a)", "return a;", {(Kind.RETURN, 'return "";')}),
        ("Object f(Object a)", "return a;", {(Kind.RETURN, "return null;")}),
        ("boolean f(boolean a)", "return a;", {(Kind.RETURN, "return !(a);")}),
        ("boolean f()", "return true;", {(Kind.CONSTANT, "return false;")}),
        ("void f()", "a += b;", {(Kind.OPERATOR, "a -= b;")}),
        ("void f()", "a++;", {(Kind.OPERATOR, "a--;")}),
        (
            "void f()",
            "x = a < b;",
            {(Kind.BOUNDARY, "x = a <= b;"), (Kind.CONDITION, "x = a >= b;")},
        ),
        ("void f()", "x = a && b;", {(Kind.CONDITION, "x = a || b;")}),
        (
            "void f()",
            "if (a) { b = !c; }",
            {
                (Kind.CONDITION, "if (!(a)) { b = !c; }"),
                (Kind.CONDITION, "if (a) { b = (c); }"),
            },
        ),
        ("void f()", "a.b();", {(Kind.CALL, ";"), (Kind.CALL, "(a);")}),
        ("void f()", "x = abs(y);", {(Kind.CALL, "x = (y);")}),
        (
            "void f()",
            "x = 0x1F;",
            {
                (Kind.CONSTANT, "x = (0x1F + 1);"),
                (Kind.CONSTANT, "x = (0x1F - 1);"),
            },
        ),
        ("void f()", "x = 1.5;", {(Kind.CONSTANT, "x = (1.5 + 1);")}),
        ("void f()", "x = 'a';", {(Kind.CONSTANT, "x = ((char) ('a' + 1));")}),
        ("void f()", 'x = "é";', {(Kind.CONSTANT, 'x = "";')}),
        ("void f()", 'throw new A("no");', {(Kind.CONSTANT, 'throw new A("");')}),
        ('@Deprecated(since = "9") void f()', ";", set()),
    ],
)
def test_java_is_changed_in_one_place(head: str, body: str, mutants: set[tuple[Kind, str]]) -> None:
    source = JAVA.format(head=head, body=body)
    changes = JavaMutations().changes(source, 1, 1)
    found = {(change.kind, change.applied(source.encode())) for change in changes}
    assert found == {(kind, JAVA.format(head=head, body=text)) for kind, text in mutants}
    assert not JavaMutations().changes(source, 2, 9)


def test_a_change_is_told_in_a_line() -> None:
    change = CodeChange(Kind.BOUNDARY, 3, 0, 5, "(a <= b)")
    assert change.described(b"a < b") == "line 3, boundary: a < b → a <= b"
    assert CodeChange(Kind.CALL, 1, 0, 2, "").described(b"f\n") == "line 1, call: f → (nothing)"
    long = CodeChange(Kind.CALL, 1, 0, 90, "pass").described(b"x" * 90)
    assert long.endswith("x… → pass") and len(long) < 90


REFERENCE = Program("def f(a):\n    return a + 1 + 1\n", 1, "def f(a):\n    return a + 1 + 1\n")


def test_mutants_are_drawn_by_the_seed() -> None:
    task = make_task("0", language=Language.PYTHON, style=Style.FUNCTION)
    verdict = make_verdict("0", 2, program=REFERENCE, cpu_seconds=0.1)

    def drawn(count: int | None, seed: int = 0) -> list[str]:
        found = draw(task, verdict, count, seed, None)  # type: ignore[arg-type]
        assert all(each.form is AnswerForm.SOURCE for each in found.candidates)
        assert found.task.limits.seconds == 2.0
        return [each.answer for each in found.candidates]

    everything = drawn(None)
    assert len(everything) == len(set(everything)) == 7
    assert drawn(3) == drawn(3) == everything[:3]
    assert set(drawn(None, seed=1)) == set(everything) and drawn(None, seed=1) != everything


def test_mutants_that_are_no_other_program_are_left_out() -> None:
    source = "def f(a):\n    return a or 'x' * 2\n"
    verdict = make_verdict("0", 2, program=Program(source, 1, source))
    found = draw(make_task("0"), verdict, None, 0, None)  # type: ignore[arg-type]
    assert found.equivalent == 0 and len(found.described) == len(found.candidates) == 6
    source = "def f(a):\n    x = 5 - 3\n    return 8 if 0 else x + 1 * 0\n"
    verdict = make_verdict("0", 2, program=Program(source, 1, source))
    found = draw(make_task("0"), verdict, None, 0, None)  # type: ignore[arg-type]
    assert found.equivalent  # 8 is never returned, and 1 * 0 is 0 however it is written


def test_each_file_of_a_reference_is_changed() -> None:
    files = {"shape.py": "from sizes import AREA\n\narea = AREA + 0\n", "sizes.py": "AREA = 2\n"}
    given = {"given.py": "LEFT = 3\n"}  # a solution file that the reference leaves as it is
    solution = dict.fromkeys((*files, *given), "")
    task = replace(
        make_task("0", language=Language.PYTHON, style=Style.PYTEST),
        solution=solution,
        reference_files=files,
    )
    others = {"sizes.py": files["sizes.py"], **given}
    program = Program(files["shape.py"], 1, "a listing", files=others)
    found = draw(task, make_verdict("0", 2, program=program), None, 0, None)  # type: ignore[arg-type]
    assert set(found.described) == {
        "shape.py, line 3, operator: AREA + 0 → AREA - 0",
        "shape.py, line 3, constant: 0 → 1",
        "shape.py, line 3, constant: 0 → -1",
        "sizes.py, line 1, constant: 2 → 3",
        "sizes.py, line 1, constant: 2 → 1",
    }
    for candidate in found.candidates:
        assert candidate.form is AnswerForm.FILES and candidate.files["given.py"] == "LEFT = 3\n"
        changed = [path for path in files if candidate.files[path] != files[path]]
        assert len(changed) == 1
        assert found.described[candidate.key.sample].startswith(changed[0])
