"""Plans that are kept on disk."""

from pathlib import Path

import pytest

from polyassay.environments import java_plans
from polyassay.environments.java_plans import KeptPlans


def test_a_plan_is_found_by_what_it_was_made_from(tmp_path: Path) -> None:
    kept = KeptPlans(tmp_path / "plans")
    assert kept.load(b"task") is None
    kept.keep(b"task", b"plan")
    kept.keep(b"other", b"another plan")
    assert KeptPlans(tmp_path / "plans").load(b"task") == b"plan"
    assert len(list((tmp_path / "plans").iterdir())) == 2  # and no half-written file


def test_a_disk_that_takes_nothing_costs_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "plans").write_text("no folder")
    kept = KeptPlans(tmp_path / "plans")
    kept.keep(b"task", b"plan")
    assert kept.load(b"task") is None


def test_the_trick_can_be_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptPlans(tmp_path)
    kept.keep(b"task", b"plan")
    monkeypatch.setattr(java_plans, "on", lambda trick: trick != "kept_plans")
    kept.keep(b"other", b"plan")
    assert kept.load(b"task") is None
    assert len(list(tmp_path.iterdir())) == 1
