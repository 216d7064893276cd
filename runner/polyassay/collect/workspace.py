"""One task in a fresh folder: lay out, let a tool at it, harvest what it wrote.

The folder is nobody else's, outside of any project, and goes afterwards. Only the task's stubs
are taken, and only if they are plain files that changed, and of a task with solution files new
sources beside them; whatever else the tool printed, returned or left decides nothing.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from polyassay.candidates.solution.paths import is_helper
from polyassay.collect.agents import Agent
from polyassay.collect.manifest import plain
from polyassay.collect.state import LEFTOVERS, read_answer_file
from polyassay.collect.stubs import PROMPT, Stub, TaskFiles
from polyassay.collect.usage import Usage
from polyassay.errors import PolyAssayError
from polyassay.model import Task

LONGEST_OUTPUT = 256 << 20  # bytes; a tool that prints more is stopped
OUTPUT, ERRORS = "stdout", "stderr"
READ = 16 << 20  # bytes of an output in which tokens are looked for, from its end
PAUSE = 0.05
STOPPED = "it was stopped"


@dataclass(frozen=True, slots=True)
class Workspace:
    folder: Path
    files: TaskFiles
    stop: threading.Event  # set where the work is to be broken off

    @property
    def prompt_file(self) -> Path:
        return self.folder / PROMPT


@dataclass(frozen=True, slots=True)
class Harvest:
    """What a tool left."""

    texts: Mapping[str, str]  # stub → its whole text, where it is still a plain text file
    changed_stubs: tuple[str, ...]
    changed: tuple[str, ...]  # given files that it changed or deleted
    added: tuple[str, ...]
    helpers: Mapping[str, str] = field(default_factory=dict)  # of the added, what an answer may add

    @property
    def edited(self) -> bool:
        return bool(self.changed_stubs)


@dataclass(frozen=True, slots=True)
class AgentEnding:
    """How a tool ended; its exit code is noted and not believed."""

    exit_code: int | None = None
    timed_out: bool = False
    seconds: float = 0.0
    problem: str = ""
    usage: Usage = field(default_factory=Usage)
    words: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()  # what it wanted and was not given


@contextmanager
def opened(files: TaskFiles, prompt: str, stop: threading.Event) -> Iterator[Workspace]:
    """A fresh folder with the task's files and its prompt."""
    folder = Path(tempfile.mkdtemp(prefix="workspace-")).resolve()
    try:
        for path, stub in files.stubs.items():
            _write(folder / path, stub.text.encode())
        for path, content in files.given.items():
            _write(folder / path, content)
        _write(folder / PROMPT, prompt.encode())
        yield Workspace(folder, files, stop)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def harvest(workspace: Workspace, task: Task) -> Harvest:
    folder, files = workspace.folder, workspace.files
    texts = {path: read_answer_file(folder, path) for path in files.stubs}
    found = {path: text for path, text in texts.items() if text is not None}
    changed_stubs = tuple(
        path for path, text in found.items() if plain(text) != plain(files.stubs[path].text)
    )
    changed = tuple(
        path for path, content in files.given.items() if _content(folder / path) != content
    )
    own = {*files.stubs, *files.given, PROMPT}
    added = tuple(path for path in _files_below(folder) if path not in own)
    new = {path: read_answer_file(folder, path) for path in added if is_helper(task, path)}
    helpers = {path: text for path, text in new.items() if text is not None}
    return Harvest(found, changed_stubs, changed, added, helpers)


def without_comment(stub: Stub, text: str) -> str:
    """The tool's part of a file: our comment goes where it still stands as it was written."""
    return text.removeprefix(stub.header)


def run_command(
    agent: Agent, workspace: Workspace, task: Task, sample: int, logs: Path, model: str = ""
) -> AgentEnding:
    """Starts the agent in the folder and waits for its end, or ends it."""
    prompt = workspace.prompt_file.read_text("utf-8")
    paths = list(workspace.files.stubs)
    values = {
        "prompt_file": str(workspace.prompt_file),
        "prompt": prompt,
        "file": paths[0],
        "folder": str(workspace.folder),
        "task": task.id,
        "language": str(task.language),
        "sample": str(sample),
        "model": model,
    }
    words = agent.words(values, paths)
    logs.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with (logs / OUTPUT).open("wb") as out, (logs / ERRORS).open("wb") as errors:
        try:
            process = subprocess.Popen(
                words,
                cwd=workspace.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                env=os.environ | environment(workspace) | dict(agent.environment),
                start_new_session=True,
            )
        except OSError as error:
            raise PolyAssayError(
                f"The command {words[0]} cannot be started: {error.strerror or error}.",
                hint="Is it installed, and on the PATH?",
            ) from None
        try:
            problem = _wait(process, agent.seconds, logs, workspace.stop)
        finally:
            end(process)
    printed = tail(logs / OUTPUT) + "\n" + tail(logs / ERRORS)
    return AgentEnding(
        process.returncode,
        problem.startswith("it took"),
        time.monotonic() - start,
        problem,
        agent.usage.read(printed),
        agent.command,
    )


@dataclass(frozen=True, slots=True)
class CommandEditor:
    agent: Agent
    model: str = ""
    version: str | None = None
    via: str = "workspace"

    def edit(self, workspace: Workspace, task: Task, sample: int, logs: Path) -> AgentEnding:
        return run_command(self.agent, workspace, task, sample, logs, self.model)


def environment(workspace: Workspace) -> dict[str, str]:
    """Git must not find a repository around the folder, whose history might tell."""
    return {"GIT_CEILING_DIRECTORIES": str(workspace.folder.parent)}


def _wait(
    process: subprocess.Popen[bytes], seconds: float, logs: Path, stop: threading.Event
) -> str:
    """Why it had to be ended; empty where it ended by itself."""
    until = time.monotonic() + seconds
    while process.poll() is None:
        if stop.is_set():
            return STOPPED
        if time.monotonic() > until:
            return f"it took longer than {seconds:g} seconds"
        if sum((logs / name).stat().st_size for name in (OUTPUT, ERRORS)) > LONGEST_OUTPUT:
            return f"it printed more than {LONGEST_OUTPUT >> 20} MB"
        with suppress(subprocess.TimeoutExpired):
            process.wait(PAUSE)
    return ""


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends it and whatever it started and left behind."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM if process.poll() is None else signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(2)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - READ))
        return file.read().decode("utf-8", "replace")


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _files_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part in LEFTOVERS for part in parts)
        if not hidden and (path.is_symlink() or path.is_file()):
            yield "/".join(parts)
