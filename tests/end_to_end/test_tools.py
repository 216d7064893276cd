"""Every script of tools/ runs as its first lines say, without an activated environment."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import TOOLS

SCRIPTS = [path for path in sorted(TOOLS.iterdir()) if path.is_file() and not path.suffix]
SYSTEM = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_tells_how_it_is_used(path: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [str(path), "--help"],
        cwd=tmp_path,
        env={"PATH": SYSTEM, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert path.name in ended.stdout
    assert list(tmp_path.iterdir()) == []


def test_set_up_names_all_that_is_missing_at_once(tmp_path: Path) -> None:
    """With a PATH that has what the script itself uses, and neither packages nor apt-get."""
    for name in ("bash", "dirname", "id"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    (tmp_path / "python3").symlink_to(sys.executable)
    ended = subprocess.run(
        ["bash", str(TOOLS / "setup")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "sudo apt-get install bubblewrap openjdk-17-jdk-headless gradle" in ended.stderr
