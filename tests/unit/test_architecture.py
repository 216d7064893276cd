"""Steps know the values that move between them, and never each other."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "runner" / "polyassay"

# step → the other steps that it may know besides the model and errors; anything else is a tangle
STEPS: dict[str, set[str]] = {
    "suites": set(),
    "candidates": set(),
    "prompts": set(),
    "collect": {"candidates", "generate", "suites"},
    "generate": {"prompts"},
    "sandbox": set(),
    "environments": set(),
    "harness": {"sandbox", "environments"},
    "dispatch": {"harness", "scheduling"},
    "store": set(),
    "statistics": set(),
    "measures": {"statistics", "store", "checks"},
    "rubric": {"store", "candidates", "statistics"},
    "report": {"measures", "statistics", "rubric", "store", "suites"},
    "comparison": set(),
    "junit_report": set(),
}
# Values, pure functions of them, wordings, sizes, and where the jars are.
SHARED = {
    "model",
    "errors",
    "comparison",
    "highlight",
    "java_jars",
    "junit_xml",
    "languages",
    "wording",
}
SHARED |= {"requirement", "shown_text", "helper_process"}


def imports(path: Path) -> Iterator[str]:
    """The parts of this package that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "polyassay" and rest:
                yield rest.partition(".")[0]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_imports_no_other(step: str) -> None:
    place = PACKAGE / step
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    assert files
    allowed = SHARED | STEPS[step] | {step}
    tangled = {
        f"{path.relative_to(PACKAGE)} imports {found}"
        for path in files
        for found in imports(path)
        if found not in allowed
    }
    assert not tangled


def test_the_model_imports_nothing_of_ours() -> None:
    assert not list(imports(PACKAGE / "model.py"))
