"""Answers of what changed in a folder that was laid out, as native answer lines."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from polyassay.collect.manifest import Manifest, sha256
from polyassay.collect.records import WorkspaceRecord
from polyassay.collect.state import Found, State, Status

VIA = "collect"


def lines(
    folder: Path,
    manifest: Manifest,
    status: Status,
    records: Mapping[tuple[str, str, int], WorkspaceRecord],
) -> list[dict[str, Any]]:
    """One a task and sample that was filled in, in the order of the suite's samples."""
    taken = [one for one in status.found if one.answers]
    taken.sort(key=lambda one: (one.item.sample, one.item.suite))
    return [_line(folder, manifest, one, records.get(one.item.key)) for one in taken]


def _line(
    folder: Path, manifest: Manifest, found: Found, record: WorkspaceRecord | None
) -> dict[str, Any]:
    item = found.item
    whole = set(found.answers) == {""}
    answer = {"answer": found.answers[""]} if whole else {"files": dict(found.answers)}
    return {
        "suite": item.suite,
        "task": item.task,
        "tool": manifest.tool,
        "sample": item.sample,
        "prompt_language": item.prompt_language,
        **answer,
        "origin": {
            "via": VIA if record is None else record.via,
            **asdict(manifest.about),
            **(record.origin() if record is not None else {}),
            "edited_outside": found.state is State.EDITED_OUTSIDE,
            "prompt_sha256": sha256((folder / item.prompt).read_bytes())
            if (folder / item.prompt).is_file()
            else None,
            "suite_checksum": manifest.suites[item.suite],
        },
    }


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """All lines or none: a file that is there stays until the new one is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    with aside.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
