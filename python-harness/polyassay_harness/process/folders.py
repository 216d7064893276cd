"""The working folder: every test finds it as it was when the program had loaded."""

import base64
import contextlib
import os
from typing import Dict


class Folder:
    """Lives in the scratch folder, where the candidate may have done anything to it."""

    def __init__(self, scratch: str) -> None:
        self._scratch = scratch
        self.path = os.path.join(scratch, "work")
        self._loaded = os.path.join(scratch, ".loaded")

    def lay_out(self, files: Dict[str, str]) -> None:
        """Empty but for the task's own files."""
        try:
            os.mkdir(self.path)
        except OSError:  # there is one, or no way to it
            self._put_away()
            os.mkdir(self.path)
        for path, content in files.items():
            target = os.path.join(self.path, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(base64.b64decode(content))

    def keep(self) -> None:
        """Remembers what it holds now."""
        if os.path.lexists(self._loaded):
            _rmtree(self._loaded)
        try:
            if os.listdir(self.path):
                _copy(self.path, self._loaded)
        except OSError:
            return  # the program removed or locked it, so there is nothing to remember

    def renew(self) -> None:
        """Makes the folder again what it was when it was kept."""
        self._put_away()
        if os.path.isdir(self._loaded):
            _copy(self._loaded, self.path)
        else:
            os.mkdir(self.path)

    def _put_away(self) -> None:
        if os.stat(self._scratch).st_uid == os.getuid():
            os.chmod(self._scratch, 0o700)
        # What cannot be removed, being too deep for a path, stays under a name that no other has.
        gone = os.path.join(self._scratch, ".gone-" + os.urandom(8).hex())
        try:
            os.rename(self.path, gone)
        except FileNotFoundError:
            return
        try:
            os.rmdir(gone)
        except OSError:
            _remove(gone)


def nameless_file(folder: str) -> int:
    """A file to read and write that goes when it is closed, within the folder's own limits."""
    try:
        return os.open(folder, os.O_RDWR | os.O_TMPFILE, 0o600)
    except OSError:  # not every file system has such files
        path = os.path.join(folder, ".nameless")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(path)
        return descriptor


def _remove(path: str) -> None:
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
        return
    os.chmod(path, 0o700)
    for folder, names, _ in os.walk(path):
        for name in names:
            if not os.path.islink(os.path.join(folder, name)):
                with contextlib.suppress(OSError):
                    os.chmod(os.path.join(folder, name), 0o700)
    _rmtree(path)


def _rmtree(path: str) -> None:
    import shutil  # only here: it brings compressors along, which each fork would have to copy

    shutil.rmtree(path, ignore_errors=True)


def _copy(source: str, target: str) -> None:
    import shutil

    try:
        shutil.copytree(source, target, symlinks=True)
    except (OSError, shutil.Error):
        os.makedirs(target, exist_ok=True)  # what cannot be copied is the candidate's own doing
