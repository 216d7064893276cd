"""Chats that split the answer to a plain task over fenced blocks: Java classes, Python modules."""

import pytest

from polyassay.candidates import make_program
from polyassay.candidates.java.syntax import is_unit
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Style, Task

KEY = CandidateKey("s", "t", "tool", "en", 0)
SIGNATURE = "public static int total(List<Integer> xs)"
CLASS = Task(*("t", "s", Language.JAVA, Style.JUNIT, {}), class_name="Shop")
METHOD = Task(*("t", "s", Language.JAVA, Style.JUNIT, {}), class_name="Shop", signature=SIGNATURE)
FUNCTION = Task(*("t", "s", Language.PYTHON, Style.FUNCTION, {}), entry="total")

SHOP = (
    f"import java.util.List;\n\npublic class Shop {{\n    {SIGNATURE} {{ return Sum.of(xs); }}\n}}"
)
SUM = """import java.util.*;

public class Sum {
    static int of(List<Integer> xs) { return Tax.on(xs.size()); }
}"""
TAX = "package a.b;\nimport java.util.Map;\n\nclass Tax { static int on(int x) { return x; } }"
EXAMPLE = "public class Main { int n = Shop.total(null); }"

MAIN = "from adding import add\n\n\ndef total(xs):\n    return add(xs)"
ADDING = "from .zero import ZERO\n\n\ndef add(xs):\n    return sum(xs, ZERO)"
ZERO = "ZERO = 0"


def fences(*blocks: str) -> str:
    return "And\n".join(f"```\n{block}\n```\n" for block in blocks)


@pytest.mark.parametrize("task", [CLASS, METHOD])
@pytest.mark.parametrize(
    "answer",
    [
        fences(SHOP, SUM, TAX, EXAMPLE),
        fences(TAX, SUM, SHOP),
        fences("\n\n".join((SHOP, SUM, TAX))),
        "\n\n".join((SHOP, SUM, TAX)),
    ],
)
def test_classes_of_other_blocks_join_the_one_that_is_asked_for(task: Task, answer: str) -> None:
    program = make_program(task, Candidate(KEY, answer))
    assert not program.problem and is_unit(program.source)
    assert program.source.count("public class") == 1
    for line in ("class Sum {", "class Tax {", "import java.util.Map;", "public class Shop {"):
        assert line in program.source
    assert program.source.rindex("import ") < program.source.index("class ")
    assert "class Main" not in program.source and "package" not in program.source


def test_a_file_keeps_its_public_classes() -> None:
    whole = f"{SHOP}\n\npublic class Sum {{}}"
    program = make_program(CLASS, Candidate(KEY, whole, AnswerForm.PROGRAM))
    assert program.source.count("public class") == 2  # javac will tell


@pytest.mark.parametrize("order", [(MAIN, ADDING, ZERO), (ZERO, ADDING, MAIN)])
def test_modules_of_other_blocks_stand_beside_the_program(order: tuple[str, ...]) -> None:
    program = make_program(FUNCTION, Candidate(KEY, fences(*order)))
    assert program.source.strip() == MAIN
    assert {path: text.strip() for path, text in program.files.items()} == {
        "adding.py": ADDING.replace(".zero", "zero"),
        "zero.py": ZERO,
    }
    assert program.notes[-1] == "with adding.py, zero.py from other blocks"
    assert program.code.startswith(MAIN) and "# zero.py\nZERO = 0" in program.code


def test_a_module_that_is_imported_whole() -> None:
    main = (
        "import adding as a\nfrom . import zero\n\n\ndef total(xs):\n    return a.add(xs, zero.Z)"
    )
    answer = fences(main, "Z = 0", "def add(xs, y):\n    return sum(xs, y)")
    program = make_program(FUNCTION, Candidate(KEY, answer))
    assert program.files.keys() == {"adding.py", "zero.py"}
    assert "\nimport zero\n" in program.source


def test_modules_of_the_library_are_the_librarys() -> None:
    answer = fences("from math import prod\n\n\ndef total(xs):\n    return prod(xs)", "prod = 1")
    assert not make_program(FUNCTION, Candidate(KEY, answer)).files


def test_what_a_helper_needs_comes_along_and_examples_do_not() -> None:
    blocks = (
        "def total(xs):\n    result = add(xs)\n    return result",
        "def add(xs):\n    return sum(xs, ZERO)",
        ZERO,
        "result = total([1])",
    )
    program = make_program(FUNCTION, Candidate(KEY, fences(*blocks)))
    bound: dict[str, object] = {}
    exec(program.source, bound)
    assert eval("total([1, 2])", bound) == 3
    assert "total([1])" not in program.source


TEST = "import unittest\nfrom shop import total\n\n\nclass Tests(unittest.TestCase):\n    pass"
CODE = "def total(xs):\n    return sum(xs)"


def test_tests_that_stand_before_the_code_are_not_the_answer() -> None:
    program = make_program(FUNCTION, Candidate(KEY, fences(TEST, CODE)))
    assert program.source.strip() == CODE
    imported = make_program(FUNCTION, Candidate(KEY, fences("from numpy import sum as total")))
    assert imported.source.strip() == "from numpy import sum as total"
