"""A browser and a `grade serve` for tests of the grading pages."""

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command_line import command, environment
from polyassay.suites.native import jsonl as native
from polyassay.suites.registry import Registry

TOOLS = ("finch", "heron")


def answered_folder(folder: Path, tasks: int, reference: str = "") -> Path:
    """Tasks that only people grade, and two tools' answers that name their tools."""
    asked = [
        {
            "id": f"t{n}",
            "language": "python",
            "style": "rubric",
            "prompts": {"en": f"Add {n} to x", "zh": f"把 x 加 {n}"},
            "signature": "def add(x: int) -> int:",
            "reference": reference,
        }
        for n in range(tasks)
    ]
    answers = [
        {"task": f"t{n}", "tool": tool, "answer": answer(tool, n)}
        for n in range(tasks)
        for tool in TOOLS
    ]
    for name, rows in (("tasks", asked), ("answers", answers)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (suite,) = native.read(folder / "tasks.jsonl", "manual")
    Registry(folder / ".polyassay").add(suite)
    return folder


def answer(tool: str, number: int) -> str:
    markup = "<script>document.title = 'taken over'</script>"
    how = f"x + {number}" if tool == TOOLS[0] else f"sum([x, {number}])"
    return f"# {tool.title()}-7B wrote this {markup}\ndef add(x: int) -> int:\n    return {how}\n"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Server:
    """`polyassay grade serve` as a process that can be killed and started again."""

    def __init__(self, folder: Path, *flags: str, graders: tuple[str, ...] = ("ann",)) -> None:
        names = [part for grader in graders for part in ("--grader", grader)]
        self._command = command(
            *("grade", "serve", "-c", "answers.jsonl", "-s", "manual", "--port", str(free_port())),
            *(*names, *flags, "--json"),
        )
        self._folder = folder
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.urls: dict[str, str] = json.loads(self._process.stdout.readline())["graders"]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def end(self) -> None:
        """As Ctrl-C does: in order, so that what it ran is measured."""
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=30)
        assert self._process.returncode == 0


@contextmanager
def served(folder: Path, *flags: str, graders: tuple[str, ...] = ("ann",)) -> Iterator[Server]:
    server = Server(folder, *flags, graders=graders)
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    server.end()


def at_item(tab: Any, number: int, total: int) -> None:
    """Waits until an item is in view."""
    tab.wait_for_function(
        "head => document.querySelector('header h1')?.textContent === head",
        arg=f"item {number} of {total}",
    )
