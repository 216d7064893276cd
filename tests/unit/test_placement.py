"""Where interpreters in sandboxes find the Python harness."""

from pathlib import Path

import pytest

import polyassay_harness
from polyassay.harness.python import placement


def test_a_checkout_below_tmp_is_copied_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(polyassay_harness.__file__).resolve().parent
    monkeypatch.setenv("POLYASSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(placement, "_TMP", package.parent.parent)
    place = placement.harness_folder()
    assert place.is_relative_to(tmp_path)
    assert placement.harness_folder() == place
    names = {path.relative_to(package) for path in package.rglob("*.py")}
    assert {path.relative_to(place / package.name) for path in place.rglob("*.py")} == names
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [place.name]


def test_another_checkout_stays_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placement, "_TMP", tmp_path)
    folder = Path(polyassay_harness.__file__).resolve().parent.parent
    assert placement.harness_folder() == folder
