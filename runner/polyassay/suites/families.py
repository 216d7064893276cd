"""Suites that ask the same questions: their tasks share clusters, because chance does."""

import re

# How publishers' ids begin → the family that numbers its questions alike.
_FAMILIES = {
    "humaneval": "humaneval",
    "java": "humaneval",  # HumanEval-X
    "python": "humaneval",
    "mbpp": "mbpp",
    "mbjp": "mbpp",  # MBXP in Java
    "mbxp": "mbpp",
}


def question(task_id: str, family: str = "") -> str:
    """The cluster of a question: `HumanEval/0` and `Java/0` are both `humaneval/0`.

    `family` is for ids that are a number alone. Empty where the id tells no family and number.
    """
    found = re.match(r"(?:([A-Za-z]+)[/_])?(\d+)(?:_.*)?$", task_id)
    if not found:
        return ""
    name = _FAMILIES.get((found[1] or "").lower(), "" if found[1] else family)
    return f"{name}/{int(found[2])}" if name else ""
