"""Suites: files of many formats become tasks.

An adapter is one function, and this table is where the command line finds it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from polyassay.model import Suite
from polyassay.suites.native import jsonl
from polyassay.suites.public import (
    aider_polyglot,
    aixbench,
    bigcodebench,
    classeval,
    evalplus,
    exeds,
    humaneval,
    humaneval_x,
    mbpp,
    mbupp,
    mxeval,
    odex,
)
from polyassay.suites.public.contests import apps, leetcode, livecodebench
from polyassay.suites.public.snippets import ds1000, numpyeval
from polyassay.suites.public.translated import multipl_e


class Adapter(Protocol):
    """Reads what a publisher gives; `name` is the user's, and None means the usual one."""

    def __call__(self, path: Path, name: str | None) -> list[Suite]:
        """The suites of a file or folder: mbupp.read(Path("MBUPP"), None) gives four."""
        ...


ADAPTERS: Mapping[str, Adapter] = {
    "apps": apps.read,
    "aider-polyglot": aider_polyglot.read,
    "aixbench": aixbench.read,
    "bigcodebench": bigcodebench.read,
    "classeval": classeval.read,
    "ds1000": ds1000.read,
    "evalplus": evalplus.read,
    "exeds": exeds.read,
    "humaneval": humaneval.read,
    "humaneval-x": humaneval_x.read,
    "leetcode": leetcode.read,
    "livecodebench": livecodebench.read,
    "mbpp": mbpp.read,
    "mbupp": mbupp.read,
    "multipl-e": multipl_e.read,
    "mxeval": mxeval.read,
    "native": jsonl.read,
    "numpyeval": numpyeval.read_numpyeval,
    "odex": odex.read,
    "pandaseval": numpyeval.read_pandaseval,
}
