"""Judging plans of Java tasks, kept by what they were made from, so that each is made once.

A plan takes two or three runs of the compiler: 0.14 s of CPU time a task of AixBench, where a
candidate takes 0.02 s. The command makes the plans that are missing, its slots and later runs read
them. Gain: `tools/bench-java --without kept_plans`, see docs/benchmarks.md.

FOLDER/KEY holds a plan's bytes. The tests' classes are in it, so no sandbox shows the folder.
"""

import hashlib
import os
import tempfile
from pathlib import Path

from polyassay_harness.switches import on


class KeptPlans:
    """A folder of plans. They are read and written by several processes at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, made_from: bytes) -> bytes | None:
        """The plan that was made from this, if there is one."""
        if not on("kept_plans"):
            return None
        place = self._place(made_from)
        try:
            plan = place.read_bytes()
            os.utime(place)  # its last use, for `gc`
            return plan
        except OSError:
            return None

    def keep(self, made_from: bytes, plan: bytes) -> None:
        """Writes a plan by a rename, because others may read it; where that fails, it is lost."""
        if not on("kept_plans"):
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder.parent) as aside:
                half = Path(aside, "plan")
                half.write_bytes(plan)
                half.replace(self._place(made_from))
        except OSError:
            pass  # a full disk costs time, and no verdict

    def _place(self, made_from: bytes) -> Path:
        return self._folder / hashlib.sha256(made_from).hexdigest()
