"""Lets an agent fill the stubs of a folder that was laid out, each in a workspace of its own."""

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from polyassay.collect import records
from polyassay.collect.manifest import Item, Manifest
from polyassay.collect.records import WorkspaceRecord
from polyassay.collect.state import State, status
from polyassay.collect.stubs import notebook, workspace_files
from polyassay.collect.wording import instructions
from polyassay.collect.workspace import AgentEnding, Harvest, Workspace, harvest, opened
from polyassay.errors import PolyAssayError
from polyassay.model import Suite, Task

LOGS = "logs"


class Editor(Protocol):
    """Whatever edits files in a workspace: a command, or an agent behind a protocol."""

    @property
    def via(self) -> str: ...

    @property
    def version(self) -> str | None: ...

    def edit(self, workspace: Workspace, task: Task, sample: int, logs: Path) -> AgentEnding:
        """Has the task's stubs filled in; what is printed meanwhile goes to files in `logs`."""
        ...


@dataclass(frozen=True, slots=True)
class Filler:
    folder: Path
    manifest: Manifest
    suites: Mapping[str, Suite]
    editor: Editor

    def pending(self, again: bool = False) -> list[Item]:
        """Untouched stubs; those that an agent has left untouched before, only where asked."""
        done = {} if again else records.read(self.folder)
        found = status(self.folder, self.manifest).found
        return [
            one.item for one in found if one.state is State.UNTOUCHED and one.item.key not in done
        ]

    def fill_all(
        self, items: list[Item], jobs: int, told: Callable[[WorkspaceRecord], None]
    ) -> None:
        stop = threading.Event()
        with ThreadPoolExecutor(jobs) as pool:
            futures = [pool.submit(self._fill, item, stop) for item in items]
            try:
                for future in as_completed(futures):
                    told(future.result())
            except BaseException:
                stop.set()  # agents that are at work are ended, and leave no record
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _fill(self, item: Item, stop: threading.Event) -> WorkspaceRecord:
        suite = self.suites[item.suite]
        task = next(task for task in suite.tasks if task.id == item.task)
        files = workspace_files(task, suite.jars, item.prompt_language)
        prompt = instructions(task, list(files.stubs), item.prompt_language)
        number = next(iter(item.stubs)).split("/")[1].partition(".")[0]
        logs = Path(LOGS) / f"sample-{item.sample}" / number
        with opened(files, prompt, stop) as workspace:
            ending = self.editor.edit(workspace, task, item.sample, self.folder / logs)
            found = harvest(workspace, task)
        if stop.is_set():
            raise PolyAssayError("It was stopped.", hint="The same command goes on.")
        if found.edited:
            self._put(item, found, list(files.stubs))
        record = WorkspaceRecord(
            *item.key,
            self.editor.via,
            ending.words,
            round(ending.seconds, 3),
            exit_code=ending.exit_code,
            timed_out=ending.timed_out,
            problem=ending.problem or ("" if found.edited else "no stub was edited"),
            tool_version=self.editor.version,
            tokens=ending.usage.tokens,
            cost=ending.usage.cost,
            edited=found.edited,
            changed=found.changed,
            added=found.added,
            output=logs.as_posix(),
            refused=ending.refused,
        )
        records.append(self.folder, record)
        return record

    def _put(self, item: Item, found: Harvest, harvested: list[str]) -> None:
        """What was harvested goes where a person would have written it."""
        for path, source in zip(item.stubs, harvested, strict=True):
            place, text = self.folder / path, found.texts.get(source)
            if text is None:
                continue
            if item.is_notebook:
                text = notebook.with_answer(place.read_text("utf-8"), text)
            place.write_bytes(text.encode())
        for path, text in found.helpers.items() if item.solution_root else ():
            (self.folder / item.solution_root / path).write_bytes(text.encode())


def refuse_other_suites(manifest: Manifest, suites: Mapping[str, Suite]) -> None:
    for name, checksum in manifest.suites.items():
        if suites[name].checksum != checksum:
            raise PolyAssayError(
                f"The suite {name} is another one than the folder was laid out for.",
                hint="Lay out a new folder with `polyassay collect new`.",
            )


def counts(found: Iterator[WorkspaceRecord]) -> dict[str, int]:
    kept = list(found)
    return {
        "ran": len(kept),
        "edited": sum(record.edited for record in kept),
        "timed_out": sum(record.timed_out for record in kept),
        "exit_not_0": sum(record.exit_code not in (0, None) for record in kept),
    }
