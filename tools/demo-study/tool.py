#!/usr/bin/env python3
"""A tool for the demo study, which knows the starter suites' references by heart.

usage: tool.py SKILL LANGUAGE TASK SAMPLE < PROMPT

How often it says a right answer depends on its SKILL (0 to 1) by construction, and, as with real
tools, on the prompt: an example helps a little, and a test that is shown helps more. So a study
must find that the tool with more skill is better, and that both settings matter.
"""

import hashlib
import sys
from pathlib import Path

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
EXAMPLE_HELPS, TEST_HELPS = 0.15, 0.3
TESTS, FENCES = "It must pass", "```"  # how the prompts of `chat` look


def luck(*parts: str) -> float:
    """From 0 to 1, the same for a task and sample whatever skill and prompt."""
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def reference(language: str, task: str) -> str:
    folder = DATASETS / f"starter-{language}" / task
    files = [folder / "reference.py", *folder.glob("*.java")]
    found = next(file for file in files if file.is_file() and not file.stem.endswith("Test"))
    return found.read_text(encoding="utf-8")


def helped(prompt: str) -> float:
    shown = TESTS in prompt
    example = prompt.count(FENCES) >= 2 + 2 * shown
    return TEST_HELPS * shown + EXAMPLE_HELPS * example


def main() -> None:
    skill, language, task, sample = float(sys.argv[1]), *sys.argv[2:5]
    right = luck(task, sample) < skill + helped(sys.stdin.read())
    code = reference(language, task)
    if not right:
        code = code[: int(len(code) * luck("cut", task, sample) * 0.8)]  # it breaks off
    print(f"Here it is:\n\n```{language}\n{code}\n```")


if __name__ == "__main__":
    main()
