"""The scripts of tools/, as modules: they have no .py in their names."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).resolve().parent.parent / "tools"


def script(name: str) -> ModuleType:
    """A script, loaded but not run."""
    known = name.replace("-", "_")
    loader = SourceFileLoader(known, str(TOOLS / name))
    spec = importlib.util.spec_from_loader(known, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[known] = module  # dataclasses look their module up
    loader.exec_module(module)
    return module
