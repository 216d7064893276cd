"""Where the Python harness is, as the interpreters in sandboxes see it."""

import hashlib
import shutil
import tempfile
from pathlib import Path

import polyassay_harness
from polyassay.environments.cache import making, use, user_cache

_TMP = Path("/tmp")  # noqa: S108


def harness_folder() -> Path:
    """The folder that holds the package polyassay_harness.

    Sandboxes show it at its own path. A checkout below /tmp would so be seen in the /tmp of every
    candidate; of such a checkout there is a copy in the user's cache folder.
    """
    folder = Path(polyassay_harness.__file__).resolve().parent.parent
    cache = user_cache() if folder.is_relative_to(_TMP) else None
    if cache is None:  # as for a user without a folder to write to; what shows does no harm
        return folder
    return _copied(folder / "polyassay_harness", cache)


def _copied(package: Path, cache: Path) -> Path:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    place = use(cache / f"harness-{digest.hexdigest()[:16]}")
    with making(place):
        if not place.is_dir():
            with tempfile.TemporaryDirectory(dir=cache, ignore_cleanup_errors=True) as aside:
                shutil.copytree(package, Path(aside, "half", package.name))
                Path(aside, "half").rename(place)
    return place
