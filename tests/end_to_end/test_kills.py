"""Processes of ours that are killed in the middle of their work change no verdict.

A small form of `tools/kills`, with fewer candidates and kills; `tools/kills --only container` wants
a Docker engine that runs.
"""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
KILLS, CANDIDATES = 3, 36


@pytest.fixture(scope="module")
def kills() -> ModuleType:
    sys.path.insert(0, str(TOOLS))
    loader = SourceFileLoader("kills", str(TOOLS / "kills"))
    spec = importlib.util.spec_from_loader("kills", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["kills"] = module  # dataclasses look their module up
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "kind",
    [
        "reader",
        "zygote",
        "judge",
        "worker-jvm",
        "judge-jvm",
        "executor-jvm",
        "compile-service",
    ],
)
def test_no_verdict_changes_or_is_lost(kills: ModuleType, kind: str) -> None:
    result = kills.try_kind(kills.KINDS[kind], KILLS, CANDIDATES, seed=5)
    assert len(result.kills) == KILLS
    assert all(prey.work for prey in result.kills)
    assert result.judged == CANDIDATES * result.runs
    assert result.good, result.changed
