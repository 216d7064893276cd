"""The starter suites load, with the JDK for those in Java."""

from pathlib import Path

from polyassay.suites.datasets import datasets_folder
from polyassay.suites.registry import Registry


def test_the_starter_suites_load(tmp_path: Path) -> None:
    shipped = sorted(path.parent.name for path in datasets_folder().glob("*/suite.toml"))
    registry = Registry(tmp_path)
    assert registry.names() == shipped
    for name in shipped:
        suite = registry.load(name)
        assert len(suite.tasks) == registry.overview(name).tasks
        assert all(task.reference for task in suite.tasks)
