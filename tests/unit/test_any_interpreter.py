"""What runs in sandboxes runs on any Python from 3.9 on, with nothing installed."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    ROOT / "python-harness" / "polyassay_harness",
    ROOT / "runner" / "polyassay" / "harness" / "gradle" / "guest",
)
FILES = sorted(path for place in PLACES for path in place.rglob("*.py"))
# The suite's own libraries, in modules that only suites with those libraries use.
OF_SUITES = {
    "notebook/shell.py": {"IPython", "traitlets"},
    "notebook/kernel.py": {"jupyter_client", "nbclient", "nbformat"},
    "worker/pytest_child.py": {"pytest"},
    "crossing/arrays.py": {"numpy"},
}
MOST_MODULES = 14


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_needs_nothing_but_python_3_9(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    place = next(place for place in PLACES if place in path.parents)
    allowed = OF_SUITES.get(str(path.relative_to(place)), set()) | {"polyassay_harness"}
    assert set(imported(tree)) - sys.stdlib_module_names <= allowed


def test_packages_are_small() -> None:
    folders = {path.parent for path in FILES}
    assert {str(f): n for f in folders if (n := len(list(f.glob("*.py")))) > MOST_MODULES} == {}


def test_packages_of_the_harness_form_layers() -> None:
    """A package imports only those that come before it here."""
    layers = ["wire", "process", "testing", "crossing", "worker", "judge"]
    layers += ["supervisor", "notebook", "zygote"]
    root = PLACES[0]
    wrong = []
    for path in FILES:
        if root not in path.parents or path.parent == root:
            continue
        own = path.relative_to(root).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(root.name):
                parts = (node.module or "").split(".")
                other = parts[1] if len(parts) > 1 else node.names[0].name
                if other in layers and layers.index(other) > layers.index(own):
                    wrong.append(f"{path.relative_to(root)} imports {other}")
    assert wrong == []
