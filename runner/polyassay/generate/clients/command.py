"""`command`: one process a prompt, never through a shell."""

import asyncio
import contextlib
import json
import os
import re
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from polyassay.generate.replies import AskError, Finish, Question, Reply, Tokens
from polyassay.generate.tools import Tool

LONGEST = 8 << 20  # bytes of an answer
VERSION_SECONDS = 30.0
PLACEHOLDER = r"\{(task|suite|language|prompt_file|sample)\}"


class CommandClient:
    at_once = 1

    def __init__(self, tool: Tool) -> None:
        self._tool = tool
        self._as_json = bool(tool.values.get("json"))
        self._version: asyncio.Task[str] | None = None

    async def ask(self, question: Question) -> Sequence[Reply]:
        if self._version is None:
            self._version = asyncio.create_task(self._ask_version())
        version = await self._version
        with tempfile.TemporaryDirectory(prefix="polyassay-") as folder:
            file = Path(folder) / "prompt.txt"
            file.write_text(question.prompt.text, encoding="utf-8")
            command = arguments(self._tool.values["command"], question, file)
            said = self._said_to(question).encode()
            output = await run(command, said, self._tool.seconds)
        return [self._reply(output.decode("utf-8", "replace"), version)]

    def _said_to(self, question: Question) -> str:
        if not self._as_json:
            return question.prompt.text
        return json.dumps(
            {
                "suite": question.task.suite,
                "task": question.task.id,
                "language": str(question.task.language),
                "prompt_language": question.prompt_language,
                "sample": question.samples[0],
                "prompt": question.prompt.text,
                "messages": [
                    {"role": m.role, "content": m.content} for m in question.prompt.messages
                ],
                "settings": dict(question.prompt.settings),
            }
        )

    def _reply(self, output: str, version: str) -> Reply:
        told: Mapping[str, Any] = {}
        if self._as_json:
            with contextlib.suppress(ValueError):
                value = json.loads(output)
                if isinstance(value, dict) and isinstance(value.get("answer"), str):
                    told = value
        text = str(told.get("answer", output))
        counts = told.get("tokens") if isinstance(told.get("tokens"), dict) else {}
        assert isinstance(counts, dict)
        cost = told.get("cost")
        return Reply(
            text,
            Finish.COMPLETE if text.strip() else Finish.EMPTY,
            model=str(told.get("model", "")),
            tokens=Tokens(
                *(_number(counts.get(n)) for n in ("input", "output", "cached", "reasoning"))
            ),
            raw=output,
            cost=_number(cost),
            version=str(told.get("version", version)),
        )

    async def _ask_version(self) -> str:
        if "version" in self._tool.values:
            return str(self._tool.values["version"])
        command = self._tool.values.get("version_command")
        if not command:
            return ""
        output = await run(command, b"", VERSION_SECONDS)
        return output.decode("utf-8", "replace").strip()[:200]

    async def close(self) -> None:
        if self._version is not None:
            self._version.cancel()


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def arguments(command: Sequence[str], question: Question, file: Path) -> list[str]:
    """The command with its placeholders filled in; each stays one argument, whatever it holds."""
    values = {
        "task": question.task.id,
        "suite": question.task.suite,
        "language": str(question.task.language),
        "prompt_file": str(file),
        "sample": str(question.samples[0]),
    }
    return [re.sub(PLACEHOLDER, lambda found: values[found[1]], part) for part in command]


async def run(command: Sequence[str], said: bytes, seconds: float) -> bytes:
    """What a command printed; an AskError where it failed, took too long or cannot be started."""
    name = Path(command[0]).name
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise AskError(f"{command[0]} cannot be started: {error}", retry=False) from None
    try:
        async with asyncio.timeout(seconds):
            output, complaints = await process.communicate(said)
    except TimeoutError:
        raise AskError(f"{name} took more than {seconds:g} s", retry=True) from None
    finally:
        with contextlib.suppress(ProcessLookupError):  # also whatever it left behind
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    if process.returncode:
        last = complaints.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        told = f": {last}" if last else ""
        raise AskError(f"{name} ended with exit code {process.returncode}{told}", retry=True)
    if len(output) > LONGEST:
        raise AskError(f"{name} printed more than {LONGEST >> 20} MiB", retry=False)
    return output
