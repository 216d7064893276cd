"""Where the Python harness is, as the interpreters in sandboxes see it."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import polyassay_harness

_TMP = Path("/tmp")  # noqa: S108


def harness_folder() -> Path:
    """The folder that holds the package polyassay_harness.

    Sandboxes show it at its own path. A checkout below /tmp would so be seen in the /tmp of every
    candidate; of such a checkout there is a copy in the user's cache folder.
    """
    folder = Path(polyassay_harness.__file__).resolve().parent.parent
    if not folder.is_relative_to(_TMP):
        return folder
    try:
        return _copied(folder / "polyassay_harness")
    except OSError:  # a user without a folder to write to; what shows in /tmp does no harm
        return folder


def _copied(package: Path) -> Path:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "polyassay"
    place = cache / f"harness-{digest.hexdigest()[:16]}"
    if not place.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=cache))
        made.chmod(0o755)
        shutil.copytree(package, made / package.name)
        try:
            made.rename(place)
        except OSError:  # another process has made it meanwhile
            shutil.rmtree(made)
    return place
