"""Set-up and a run as a user without any right, in a copy of this checkout that is the user's."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from real_parts import ROOT, elsewhere, missing

USER = 54321  # which nobody else has
SYSTEM = "/usr/local/bin:/usr/bin:/bin"  # what an ordinary user finds


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder whose parents the user can pass, as pytest's own folders do not let others."""
    with tempfile.TemporaryDirectory(prefix="ordinary-user-") as folder:
        yield Path(folder)
        for process in psutil.process_iter(["uids"]):  # Gradle's daemon stays for the next build
            if process.info["uids"].real == USER:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
                    process.wait()


def test_set_up_and_a_run_need_no_rights(home: Path) -> None:
    if os.geteuid() != 0:
        elsewhere("only root can become another user; the tests themselves run as one here")
    python = shutil.which("python3", path=SYSTEM)
    if python is None or subprocess.run([python, "-c", "import ensurepip, venv"]).returncode:
        missing("environment", "there is no Python with venv outside of root's folders")
    checkout = home / "a check-out"
    copy_of_the_checkout(checkout)
    for path in (home, *home.rglob("*")):
        os.chown(path, USER, USER, follow_symlinks=False)

    def as_user(*command: str) -> str:
        # What this machine says of registries and certificates goes for every user.
        mine = {"HOME": str(home), "PATH": SYSTEM, "PYTHON": python}
        ours = ("POLYASSAY_", "XDG_")  # of the tests, and of root
        kept = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
        user = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
        done = subprocess.run(
            [*user, *command], cwd=checkout, env={**kept, **mine}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    as_user("tools/setup")
    chosen = ("-s", "starter-java", "-s", "starter-python", "--limit", "1")
    found = as_user(".venv/bin/polyassay", "run", *chosen, "-c", "reference", "--json")
    assert json.loads(found)["tools"]["reference"]["outcomes"]["passed"] == 2


def copy_of_the_checkout(to: Path) -> None:
    """The files that git knows, as they are here now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
