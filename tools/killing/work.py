"""A suite and answers: right, wrong, raising, ending their process, in several sizes."""

import json
from pathlib import Path

TASKS = 12


def write_suite(path: Path, language: str) -> None:
    make = _java_task if language == "java" else _python_task
    path.write_text("".join(json.dumps(make(number)) + "\n" for number in range(TASKS)))


def write_answers(path: Path, language: str, candidates: int) -> None:
    """Spread over the tasks, and over what answers can do."""
    forms = _JAVA if language == "java" else _PYTHON
    head = _JAVA_HEAD if language == "java" else "def spin{task}(n):\n"
    foot = "}\n" if language == "java" else ""
    with path.open("w") as file:
        for number in range(candidates):
            task, sample = number % TASKS, number // TASKS
            body = forms[sample % len(forms)]
            answer = head.replace("{task}", str(task)) + body + foot
            line = {"task": f"spin{task}", "tool": "t", "sample": sample, "answer": answer}
            file.write(json.dumps(line) + "\n")


def _python_task(number: int) -> dict[str, object]:
    # With up to four tests the zygote forks for each; with more a supervisor does.
    count = 3 if number % 2 else 6
    tests = [
        {"name": f"t{i}", "code": f"assert spin{number}({i}) == {i * i}"} for i in range(count)
    ]
    return {
        "id": f"spin{number}",
        "language": "python",
        "style": "function",
        "entry": f"spin{number}",
        "prompts": {"en": "Square it."},
        "tests": tests,
        "limits": {"seconds": 5, "total_seconds": 20, "memory_mb": 256},
    }


def _java_task(number: int) -> dict[str, object]:
    name = f"Spin{number}"
    cases = "".join(
        f" @Test void t{i}() {{ assertEquals({i * i}, {name}.spin({i})); }}" for i in range(3)
    )
    return {
        "id": f"spin{number}",
        "language": "java",
        "style": "junit",
        "class_name": name,
        "signature": "public static int spin(int n)",
        "prompts": {"en": "Square it."},
        "test_source": "import static org.junit.jupiter.api.Assertions.*;"
        f" import org.junit.jupiter.api.Test; class {name}Test {{{cases} }}",
        "tests": [{"name": f"t{i}"} for i in range(3)],
        "limits": {"seconds": 5, "total_seconds": 20, "memory_mb": 128},
    }


_WORK = "    k = sum(i % 7 for i in range(60_000))\n"
_PYTHON = (
    _WORK + "    return n * n\n",
    _WORK + "    return n * n + (n == 2)\n",
    _WORK + "    if n == 1: raise ValueError(n)\n    return n * n\n",
    _WORK + "    if n == 2: import os; os._exit(3)\n    return n * n\n",
    _WORK + "    return [n * n][n]\n",
    "    return n *\n",
)
_JAVA_HEAD = "public static int spin(int n) {\n"
_BUSY = "  int k = 0;\n  for (int i = 0; i < 20_000_000; i++) { k += i % 7; }\n"
_JAVA = (
    _BUSY + "  return n * n + (k == 1 ? 1 : 0);\n",
    _BUSY + "  return n == 2 ? k : n * n;\n",
    _BUSY + '  if (n == 1) { throw new IllegalStateException("no" + k); }\n  return n * n;\n',
    _BUSY + "  if (n == 2) { System.exit(k % 2 + 3); }\n  return n * n;\n",
    _BUSY + "  return new int[] {n * n, k}[0];\n",
    "  return n *\n",
)
