"""Runs to look at in a browser: large ones, and ones full of hostile text."""

import numpy as np

from made import make_task, make_verdict
from polyassay.model import (
    Judging,
    Language,
    Outcome,
    Program,
    Style,
    Task,
    TestResult,
    TestStatus,
    Verdict,
)

HOSTILE = '<script>window.hacked = true</script><img src=x onerror="window.hacked = true">'

_JAVA = """/** Pads on the left. */
public static String padLeft(String s, char c, int n) {
  StringBuilder padded = new StringBuilder();
  while (padded.length() + s.length() < n) {
    padded.append(c); // task %d
  }
  return padded.append(s).toString();
}"""
_PYTHON = '''def pad_left(text: str, fill: str, width: int) -> str:
    """Pads on the left."""
    missing = max(0, width - len(text))  # task %d
    return fill * missing + text'''


def large_run(
    count: int, tools: tuple[str, ...] = ("finch", "heron")
) -> tuple[list[Task], list[Verdict]]:
    """`count` tasks in two languages and two prompt languages, one sample of each tool."""
    rng = np.random.default_rng(7)
    tasks, verdicts = [], []
    for i in range(count):
        java = i % 2 == 0
        prompt_language = "zh" if i % 5 == 0 else "en"
        tests = int(rng.integers(1, 9))
        tasks.append(
            make_task(
                f"{i}",
                tests,
                "pads-java" if java else "pads-python",
                language=Language.JAVA if java else Language.PYTHON,
                style=Style.JUNIT if java else Style.FUNCTION,
                prompts={prompt_language: _prompt(prompt_language, i)},
                signature="public static String padLeft(String s, char c, int n)" if java else "",
                tags=("open" if i % 3 else "closed",),
            )
        )
        ease = rng.normal()
        for t, tool in enumerate(tools):
            chance = 1 / (1 + np.exp(-(0.9 + 0.35 * t + 1.6 * ease + rng.normal())))
            verdicts.append(_verdict(tasks[-1], tool, prompt_language, chance, i, rng))
    return tasks, verdicts


def _prompt(language: str, i: int) -> str:
    if language == "zh":
        return f"用给定字符在左侧填充字符串，直到达到给定长度（任务 {i}）。"
    return f"Pad a string on the left with the given character until it is {i} characters long."


def _verdict(
    task: Task, tool: str, language: str, chance: float, i: int, rng: np.random.Generator
) -> Verdict:
    code = (_JAVA if task.language is Language.JAVA else _PYTHON) % i
    total = len(task.tests)
    endings = (None, Outcome.UNBUILT, Outcome.TIMED_OUT, Outcome.CRASHED)
    ending = endings[rng.choice(len(endings), p=[0.86, 0.1, 0.03, 0.01])]
    passed = int(rng.binomial(total, chance)) if ending is None else 0
    statuses = [TestStatus.PASSED] * passed + [TestStatus.FAILED] * (total - passed)
    results = tuple(
        TestResult(
            f"test_{n}",
            status if ending is None else TestStatus.NOT_RUN,
            "" if status is TestStatus.PASSED else 'expected "00042" but was "42"',
        )
        for n, status in enumerate(statuses)
    )
    return make_verdict(
        task.id,
        passed,
        total,
        tool,
        suite=task.suite,
        prompt_language=language,
        outcome=ending,
        tests=results,
        reason="line 3, column 9: cannot find symbol" if ending is Outcome.UNBUILT else "",
        judged=Judging.TOGETHER if i % 7 == 0 else Judging.APART,
        seconds=0.04,
        program=Program(code, code=code, notes=("from a fenced block",)),
    )


def hostile_run() -> tuple[list[Task], list[Verdict]]:
    """Every text that a suite, a tool or a candidate chooses holds markup."""
    tasks, verdicts = large_run(12, ("finch", HOSTILE))
    tasks.append(
        make_task(f"evil/{HOSTILE}", prompts={"en": HOSTILE}, signature=HOSTILE, context=HOSTILE)
    )
    for tool in ("finch", HOSTILE):
        verdicts.append(
            make_verdict(
                tasks[-1].id,
                0,
                tool=tool,
                reason=HOSTILE,
                output=HOSTILE,
                tests=(TestResult(HOSTILE, TestStatus.FAILED, HOSTILE),) * 2,
                program=Program(HOSTILE + "\n", code=f"x = 1 # {HOSTILE}", notes=(HOSTILE,)),
            )
        )
    return tasks, verdicts
