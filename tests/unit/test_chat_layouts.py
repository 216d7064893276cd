"""Every reference of starter-python is found in whatever chat, file or reply it is put."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyassay.candidates import make_program
from polyassay.candidates.python.syntax import definitions, parse
from polyassay.model import Candidate, CandidateKey, Task
from polyassay.suites.registry import Registry

TASKS = Registry(Path()).load("starter-python").tasks
KEY = CandidateKey("s", "t", "tool", "en", 0)


def moved(code: str, margin: str) -> str:
    return "".join(margin + line for line in code.splitlines(keepends=True))


def fence(code: str, tag: str = "python") -> str:
    return f"```{tag}\n{code.rstrip()}\n```\n"


def layouts(code: str, name: str) -> Iterator[str]:
    use = f"print({name}(1))\n" if name else "x = 1\n"
    tests = "def test_it():\n    assert " + (name or "f") + "(1)\n"
    draft = f"def {name or 'draft'}(*a):\n    pass\n"
    yield code
    yield f"Sure! Here it is:\n\n{fence(code)}\nIt works in O(n) time.\n"
    yield f"Use:\n{fence(use)}\nCode:\n{fence(code)}"
    yield f"{fence(code)}\nUse:\n{fence(use)}"
    yield f"Tests:\n{fence(tests)}\nCode:\n{fence(code)}"
    yield f"Given:\n{fence(draft)}\nCode:\n{fence(code)}"
    yield f"<think>\n{fence(draft)}</think>\n{fence(code)}"
    yield f"Here's what you asked for:\n\n{code}\n\nIt's simple.\n\n**Cost:** O(n)\n"
    yield f"Вот решение задачи:\n\n{code}\n\nЭта функция проходит по всем элементам.\n"
    yield f"下面是代码：\n\n{code}\n\n这个函数遍历所有元素。\n"
    yield f"{code.rstrip()}<|endoftext|>"
    yield f"{code.rstrip()}\n```\n\nThis is what it does.\n"
    yield f"```python\n{code.rstrip()}```\nDone."
    yield f"~~~python\n{code.rstrip()}\n~~~\n"
    yield moved(code, "    ")
    yield f"1. The code:\n\n{moved(fence(code), '   ')}\n2. Done.\n"
    yield moved(fence(code), "> ").replace("> \n", ">\n")
    yield f"- {moved(fence(code), '  ').lstrip()}"
    yield json.dumps({"code": code, "explanation": "It works."})
    yield f"So:\n{fence(json.dumps({'code': code}), 'json')}"
    yield f"<answer>\n{code}\n</answer>"
    yield f"[PYTHON]\n{code}\n[/PYTHON]"
    yield fence(f"--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,99 @@\n{moved(code, '+')}", "diff")
    yield f"Sure:\n\n{fence(code)}\nDone.\n".replace("\n", "\r\n")


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
def test_a_reference_is_found(task: Task) -> None:
    tree = parse(task.reference)
    assert tree is not None
    name = task.entry or next(iter(definitions(tree)), "")
    for answer in layouts(task.reference, name):
        program = make_program(task, Candidate(KEY, answer))
        source = "\n".join(program.source.splitlines()).strip()
        assert task.reference.strip() in source, (answer, program)
