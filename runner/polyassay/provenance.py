"""Where a run's figures come from: enough to do it again, and to refuse unlike comparisons."""

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polyassay
from polyassay.harness import RunSettings
from polyassay.model import Candidate, Suite
from polyassay.rules import RULES
from polyassay.shown_text import hide_passwords


def describe(
    suites: Mapping[str, Suite],
    candidates: Iterable[Candidate],
    sources: Sequence[Mapping[str, Any]],
    settings: RunSettings,
    versions: Mapping[str, str],
) -> dict[str, Any]:
    """All of it, as plain values that JSON can hold."""
    checksum, counts = _checksum(candidates)
    return {
        "suites": {
            name: {"version": suite.version, "checksum": suite.checksum, "tasks": len(suite.tasks)}
            for name, suite in suites.items()
        },
        "candidates": {"checksum": checksum, "tools": counts, "sources": list(sources)},
        "rules": RULES,
        "engine": settings.engine,
        "judging": settings.judge or "auto",
        "sandbox": settings.sandbox.name,
        "pinned": _pinned(settings),
        "versions": {
            "polyassay": polyassay.__version__,
            "python": platform.python_version(),
            **versions,
        },
        "revision": _revision(),
        "machine": {
            "system": platform.platform(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        },
        "command": list(map(hide_passwords, sys.argv[1:])),
    }


def _pinned(settings: RunSettings) -> dict[str, str]:
    """What verdicts could depend on by luck, and what it is set to."""
    return {
        "hash seed": "0",
        "addresses": "fixed" if settings.sandbox.fixes_layout else "left to the kernel",
        "time zone": "UTC",
        "locale": "C.UTF-8",
        "umask": "022",
        "order of tests": "the suite's",
        "order of files": "that of an empty file system in memory",
    }


def _checksum(candidates: Iterable[Candidate]) -> tuple[str, dict[str, int]]:
    digest = hashlib.sha256()
    counts: dict[str, int] = {}
    for candidate in candidates:
        counts[candidate.key.tool] = counts.get(candidate.key.tool, 0) + 1
        for part in (repr(candidate.key), candidate.form, candidate.answer):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest(), counts


def _revision() -> str:
    """The git revision of PolyAssay itself, where it runs from a checkout."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return ""
    git = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    found = subprocess.run(git, capture_output=True, text=True, check=False)
    return found.stdout.strip()
