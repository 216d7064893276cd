"""Right answers as chats, models and servers write them are read; broken ones are not mended."""

import io
import json
import sys
from contextlib import redirect_stdout

import pytest

from polyassay.candidates import make_program
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Program, Style, Task

KEY = CandidateKey("s", "t", "tool", "en", 0)
RIGHT = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
BODY = "    return a + b\n"
USE = "print(add(1, 2))\n"
TESTS = "import unittest\n\nclass TestAdd(unittest.TestCase):\n    def test_it(self): add(1, 2)\n"
QUOTES = (
    'def add(a, b):\n    """Add.\n\n    ```{}\n    add(1, 2)\n    ```\n    """\n    return a + b\n'
)


def fence(code: str, tag: str = "python") -> str:
    return f"```{tag}\n{code}```\n"


def moved(code: str, margin: str = "    ") -> str:
    return "".join(margin + line for line in code.splitlines(keepends=True))


def python(style: Style, **fields: str) -> Task:
    return Task("t", "s", Language.PYTHON, style, {}, **fields)  # type: ignore[arg-type]


FUNCTIONS = [
    python(Style.FUNCTION, entry="add", signature="def add(a, b)"),
    python(Style.FUNCTION, entry="add"),
    python(
        Style.FUNCTION, entry="add", context='import math\n\n\ndef add(a, b):\n    """Add."""\n'
    ),
    python(Style.PYTEST, entry="add"),
]
READ = {
    "usage first": fence(USE) + fence(RIGHT),
    "tests first": fence(TESTS) + fence(RIGHT),
    "tests as functions first": fence("def test_add():\n    assert add(1, 2)\n") + fence(RIGHT),
    "the given stub first": fence('def add(a, b):\n    """Add."""\n    pass\n') + fence(RIGHT),
    "a stub that raises first": fence("def add(a, b):\n    raise NotImplementedError\n")
    + fence(RIGHT),
    "tagged as text": fence(RIGHT, "text"),
    "behind a list's mark": "- ```python\n" + moved(RIGHT, "  ") + "  ```\n- Done\n",
    "behind a list's number": "1. ```python\n" + moved(RIGHT, "   ") + "   ```\n2. Done\n",
    "in a list, not indented": "1. So:\n    ```python\n" + RIGHT + "    ```\n",
    "quoted, with a blank line": "> ```python\n> import math\n>\n"
    + moved(RIGHT, "> ")
    + "> ```\nDone\n",
    "a docstring with a tagged fence": fence(QUOTES.format("python")),
    "a docstring with a fence": "So:\n" + fence(QUOTES.format("")) + "Done.\n",
    "a module's docstring with a fence": fence('"""Use:\n```\nadd(1, 2)\n```\n"""\n' + RIGHT),
    "no fence but in a docstring": "So it is:\n\n" + QUOTES.format("") + "\nThis adds both.\n",
    "closed on the code's line": "```python\n" + RIGHT.rstrip() + "```\nThat is all.",
    "closed behind spaces": "```python\n" + RIGHT.rstrip() + "   ```\nThat is all.",
    "closed too far in": "```python\n" + RIGHT + "    ```\nThat is all.",
    "closed, but opened in the prompt": RIGHT + "```\n\nExample:\n\n" + fence(USE) + "Done.",
    "a fence in one line": "```def add(a, b): return a + b```",
    "a chat in a fence": "```markdown\n# So\n```python\n" + RIGHT + "```\n```\n",
    "prose that abbreviates": "Here's it:\n\n" + RIGHT + "\nIt's simple.",
    "prose in bold": "Here it is:\n\n" + RIGHT + "\n**Why:**\n\nWe add both.",
    "prose of one word": "Solution:\n\n" + RIGHT + "\nExplanation:\n1. We add both.\n",
    "prose that quotes": "Solution:\n\n" + RIGHT + "\n`add` takes two numbers.\n",
    "prose that begins like code": "from what you say, it adds.\n\n" + RIGHT,
    "prose of costs": "Solution:\n\n" + RIGHT + "\nTime: O(1)\nSpace: O(1)\n",
    "Japanese": "関数は次の通りです。\n\n" + RIGHT + "\nこの関数は足します。",
    "Russian": "Вот функция:\n\n" + RIGHT + "\nОна складывает два числа.",
    "Korean": "다음은 함수입니다.\n\n" + RIGHT + "\n이 함수는 두 수를 더합니다.",
    "a shell": ">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n",
    "IPython": "In [1]: def add(a, b):\n   ...:     return a + b\n   ...:\n\nOut[1]: 3\n",
    "all of it indented": moved(RIGHT),
    "indented below prose": "The code:\n\n" + moved(RIGHT) + "\nThis function adds.\n",
    "a tag that was copied": "python\n" + RIGHT,
    "a button that was copied": "python\nCopy code\n" + RIGHT,
    "a file's name": "solution.py\n" + RIGHT,
    "an element": "I add.\n<answer>\n" + RIGHT + "</answer>\n",
    "marks of a prompt": "[PYTHON]\n" + RIGHT + "[/PYTHON]\n[TESTS]\nassert add(1, 2)\n[/TESTS]\n",
    "a page's element": '<pre><code class="python">\n' + RIGHT + "</code></pre>\n",
    "a channel": "<|channel|>analysis<|message|>"
    + fence(WRONG)
    + "<|end|><|start|>assistant<|channel|>final<|message|>"
    + fence(RIGHT),
    "other thoughts": "[THINK]\n" + fence(WRONG) + "[/THINK]\n" + fence(RIGHT),
    "reasoning": "<reasoning>\n" + fence(WRONG) + "</reasoning>\n" + fence(RIGHT),
    "thoughts twice": "<think>a</think>\n<think>\n" + fence(WRONG) + "</think>\n" + RIGHT,
    "a JSON string": json.dumps(RIGHT),
    "a JSON object": json.dumps({"explanation": "It adds.", "solution": fence(RIGHT)}),
    "a JSON object in a fence": "So:\n" + fence(json.dumps({"code": RIGHT}) + "\n", "json"),
    "a diff of a new file": fence(
        "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n" + moved(RIGHT, "+"), "diff"
    ),
    "a diff of lines that are new": fence("@@ -0,0 +1,2 @@\n" + moved(RIGHT, "+"), "diff"),
    "a diff of the stub": fence("-def add(a, b):\n-    pass\n" + moved(RIGHT, "+"), "diff"),
    "odd spaces": RIGHT.replace(" ", "\u00a0"),
    "wide spaces": RIGHT.replace("    ", "\u3000\u3000"),
    "no spaces": "\u200b" + RIGHT.replace("return", "\ufeffreturn"),
    "typed constants": fence("ZERO: int = 0\n") + fence(RIGHT.replace("b\n", "b + ZERO\n")),
    "a helper with an example": fence("def plus(a, b):\n    return a + b\n\nprint(plus(1, 2))\n")
    + fence("def add(a, b):\n    return plus(a, b)\n"),
    **{
        f"ends with {sign}": RIGHT.rstrip() + sign
        for sign in ("<|endoftext|>", "</s>\n", "[DONE]", "<|im_end|>", "<｜end▁of▁sentence｜>")
    },
    "begins with a sign": "<|im_start|>assistant\n" + fence(RIGHT) + "<|im_end|>",
}
BROKEN = {
    "cut off": "Here it is:\n\n" + RIGHT + "\n\ndef other(x:\n",
    "cut off in a fence": "```python\n" + RIGHT + "\n\ndef other(x:\n",
    "a broken helper first": "Here it is:\n\ndef other(x:\n    pass\n\n" + RIGHT + "\nIt's done.",
    "a statement first": "if not all:\n        return 0\n\n" + RIGHT,
    "thoughts that never end": "<think>\nSo:\n" + fence(RIGHT) + "But no",
    "right thoughts, wrong answer": "[THINK]\n" + fence(RIGHT) + "[/THINK]\n" + fence(WRONG),
    "other quotes": "def add(a, b):\n    s = “x”\n    return a + b\n",
    "other brackets": "def add（a, b）：\n    return a + b\n",
    "a comment": moved(RIGHT, "# "),
    "a text": 's = """\n' + RIGHT + '"""\n',
    "what a diff takes away": fence(moved(RIGHT, "-"), "diff"),
    "two texts": json.dumps({"code": RIGHT, "answer": "x"}),
    "a broken block beside text": fence("def add(a, b:\n    return a + b\n") + fence(RIGHT, "text"),
    "no indentation": "def add(a, b):\nreturn a + b\n",
    "a sign in the code": "def add(a, b):\n    return <|endoftext|>a + b\n",
    "the second is right": fence(WRONG) + fence(RIGHT),
}


def made(task: Task, answer: str) -> Program:
    return make_program(task, Candidate(KEY, answer))


def bound_by(program: Program) -> dict[str, object]:
    found: dict[str, object] = {"__name__": "answer"}
    with redirect_stdout(io.StringIO()):
        exec(program.source, found)
    return found


@pytest.mark.parametrize("task", FUNCTIONS, ids=["signature", "name", "context", "pytest"])
@pytest.mark.parametrize("how", READ)
def test_a_right_answer_is_read(task: Task, how: str) -> None:
    program = made(task, READ[how])
    assert eval("add(1, 2) == 3 and add(2, -2) == 0", bound_by(program)), program


@pytest.mark.parametrize("task", FUNCTIONS, ids=["signature", "name", "context", "pytest"])
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_answer_is_not_mended(task: Task, how: str) -> None:
    program = made(task, BROKEN[how])
    try:
        right = eval("add(1, 2) == 3", bound_by(program))
    except (SyntaxError, NameError):
        return
    assert not right


@pytest.mark.parametrize(
    ("how", "note"),
    [
        ("a shell", "a shell's prompts and output left out"),
        ("odd spaces", "other kinds of spaces replaced"),
        ("a JSON string", "from JSON"),
        ("an element", "set apart by the answer's own marks"),
        ("a diff of a new file", "from a diff"),
        ("ends with [DONE]", "a server's signs left out"),
        ("prose in bold", "prose around the code left out"),
        ("a helper with an example", "with definitions from other blocks"),
    ],
)
def test_what_was_done_is_told(how: str, note: str) -> None:
    assert note in made(FUNCTIONS[0], READ[how]).notes


@pytest.mark.parametrize(
    "answer", [BODY + "<|endoftext|>", BODY + "\n\ndef other():\n    pass\n", "return a + b"]
)
def test_a_body_is_read(answer: str) -> None:
    for task in (FUNCTIONS[0], FUNCTIONS[2]):
        assert eval("add(1, 2)", bound_by(made(task, answer))) == 3


def test_spaces_in_texts_stay_as_they_are() -> None:
    source = made(FUNCTIONS[0], 'def add(a, b):\n\u00a0return "\u00a0"  # \u200b\n').source
    assert source == 'def add(a, b):\n return "\u00a0"  # \u200b\n'


def test_texts_in_code_that_is_indented_as_a_whole_move_along() -> None:
    code = 'def add():\n    return """a\n  \n    b"""\n'
    assert made(FUNCTIONS[0], moved(code)).source == code
    assert made(FUNCTIONS[0], "So:\n\n" + moved(code) + "\nIt is a text.\n").source == code + "\n"


def test_a_diff_changes_the_given_code() -> None:
    diff = '--- a/x.py\n+++ b/x.py\n@@ -4,2 +4,3 @@\n def add(a, b):\n     """Add."""\n+' + BODY
    assert eval("add(1, 2)", bound_by(made(FUNCTIONS[2], fence(diff, "diff")))) == 3


STACK = "class Stack:\n    def push(self, x):\n        self.x = x\n"


@pytest.mark.parametrize(
    "answer",
    [
        moved(STACK),
        moved(STACK.partition("\n")[2], ""),
        fence("s = Stack()\ns.push(1)\n") + fence(STACK),
        fence("class Stack:\n    def push(self, x): ...\n") + fence(STACK),
        fence("class Stack:\n    pass\n") + fence(STACK),
    ],
)
def test_a_class_is_read(answer: str) -> None:
    program = made(python(Style.CLASS, entry="Stack"), answer)
    exec("s = Stack(); s.push(1); assert s.x == 1", bound_by(program))


def test_a_class_that_grows_step_by_step_is_taken_whole() -> None:
    start = "class Stack:\n    def __init__(self):\n        self.x = None\n"
    whole = start + STACK.partition("\n")[2]
    answer = fence(start) + "Then:\n" + fence(STACK) + "All of it:\n" + fence(whole)
    program = made(python(Style.CLASS, entry="Stack"), answer)
    assert program.source == whole and program.notes == ("from fenced block 3 of 3",)
    other = fence(STACK) + "Or:\n" + fence("class Stack:\n    def pop(self):\n        return 1\n")
    assert made(python(Style.CLASS, entry="Stack"), other).source == STACK


DOUBLE = "n = int(input())\nprint(n * 2)\n"


@pytest.mark.parametrize(
    "answer",
    [
        fence("n = int(input())\n") + fence(DOUBLE),
        fence("def double(n):\n    return n * 2\n") + fence("print(double(int(input())))\n"),
        fence("n = int(input())\n") + "Then:\n" + fence("print(n * 2)\n"),
        fence("print(double(int(input())))\n") + fence("def double(n):\n    return n * 2\n"),
        fence("2\n", "") + fence("5\n", "") + fence(DOUBLE, ""),
        fence(DOUBLE) + fence("2\n", "") + fence("4\n", ""),
        DOUBLE + "<|endoftext|>",
        ">>> n = int(input())\n>>> print(n * 2)\n",
    ],
)
@pytest.mark.parametrize("style", [Style.PROGRAM, Style.CELL])
def test_a_program_is_read(style: Style, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = made(python(style), answer)
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n"))
    with redirect_stdout(io.StringIO()) as printed:
        exec(program.source, {"__name__": "__main__"})
    assert printed.getvalue() == "4\n"


def test_a_cell_shows_its_last_line() -> None:
    answer = fence("table.mean()\n") + "Or all of it:\n" + fence("print(table)\n")
    assert made(python(Style.CELL), answer).source == "table.mean()\n"
    assert made(python(Style.PROGRAM), answer).source == "print(table)\n"


def test_a_cell_makes_nothing_anew_that_its_notebook_has() -> None:
    answer = fence("table = read()\n") + fence("print(table)\n")
    with_table = python(Style.CELL, extra={"context": "table = 1"})  # type: ignore[arg-type]
    assert "read" in made(python(Style.CELL), answer).source
    assert "read" not in made(with_table, answer).source


@pytest.mark.parametrize(
    "answer",
    [
        fence("def test_it():\n    assert plus(1, 2)\n") + fence(RIGHT),
        fence("def add(a, b):\n    pass\n") + fence(RIGHT),
        fence("def same(x):\n    return x\n") + fence("def add(a, b):\n    return same(a) + b\n"),
        moved(RIGHT),
    ],
)
def test_any_function_is_read(answer: str) -> None:
    assert eval("add(1, 2)", bound_by(made(python(Style.SETS), answer))) == 3


@pytest.mark.parametrize("form", [AnswerForm.COMPLETION, AnswerForm.PROGRAM])
def test_completions_and_programs_stay_as_their_publishers_judge_them(form: AnswerForm) -> None:
    for answer in (BODY + "<|endoftext|>", json.dumps(RIGHT), moved(RIGHT), "python\n" + RIGHT):
        program = make_program(FUNCTIONS[2], Candidate(KEY, answer, form))
        assert program.source.endswith(answer) and program.code == answer


FILES = {"shop.py": "def total(xs):\n    pass\n", "tax.py": "def rate(x):\n    pass\n"}
SHOP = "from tax import rate\n\n\ndef total(xs):\n    return sum(map(rate, xs))\n"
TAX = "def rate(x):\n    return x\n"


@pytest.mark.parametrize(
    "answer",
    [
        "".join(map(fence, (*FILES.values(), SHOP, TAX))),
        f"shop.py\n{fence(SHOP)}tax.py\n{fence(TAX)}<|im_end|>",
        f"shop.py\n{fence(SHOP)}tax.py\n```\n{TAX}<|im_end|>",
        fence(f"\ufeff{SHOP}") + fence(f"\ufeff{TAX}"),
        f"```markdown\n# shop.py\n{fence(SHOP)}# tax.py\n{fence(TAX)}```\n",
        f"1. shop.py\n   ```\n{moved(SHOP, '   ')}   ```\n- {fence(moved(TAX, '  '))[:-4]}  ```\n",
    ],
)
def test_files_are_read(answer: str) -> None:
    task = Task("t", "s", Language.PYTHON, Style.PYTEST, {}, entry="total", solution=FILES)
    program = made(task, answer)
    assert program.source.strip() == SHOP.strip()
    assert {path: text.strip() for path, text in program.files.items()} == {"tax.py": TAX.strip()}
