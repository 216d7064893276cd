"""The working folder, after a candidate has been at it."""

import os
from pathlib import Path

import pytest

from polyassay_harness.process.folders import Folder


def test_what_is_too_deep_for_a_path_is_put_away_time_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        folder.lay_out({})
        os.chdir(folder.path)
        for _ in range(120):
            Path("d" * 50).mkdir()
            os.chdir("d" * 50)
        os.chdir(tmp_path)
        folder.renew()
        assert list(Path(folder.path).iterdir()) == []
