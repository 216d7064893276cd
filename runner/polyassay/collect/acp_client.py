"""An agent behind the Agent Client Protocol, which asks us to read and write its files.

Its requests are confined to the workspace: a path that leads out of it, also by a link, is
refused and noted, and so are commands that it asks leave to run. What the agent's own process
does without asking is not ours to see: start an agent that is not trusted in a container.
"""

import asyncio
import json
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

import polyassay
from polyassay.collect.agents import Agent
from polyassay.collect.usage import Usage
from polyassay.collect.workspace import (
    ERRORS,
    OUTPUT,
    PAUSE,
    STOPPED,
    AgentEnding,
    Workspace,
    environment,
)
from polyassay.errors import PolyAssayError
from polyassay.model import Task

try:
    import acp
    from acp.schema import (
        AllowedOutcome,
        ClientCapabilities,
        DeniedOutcome,
        FileSystemCapabilities,
        Implementation,
    )
except ImportError:
    raise PolyAssayError(
        "The Agent Client Protocol's library is not installed.",
        hint="`pip install polyassay[acp]` brings it.",
    ) from None

LONGEST_LINE = 64 << 20
ALLOW, REJECT = ("allow_once", "allow_always"), ("reject_once", "reject_always")


@dataclass(slots=True)
class AcpEditor:
    agent: Agent
    version: str | None = None  # as the agent says when it is first spoken to
    via: str = "acp"

    def edit(self, workspace: Workspace, task: Task, sample: int, logs: Path) -> AgentEnding:
        logs.mkdir(parents=True, exist_ok=True)
        return asyncio.run(self._work(workspace, task, sample, logs))

    async def _work(self, workspace: Workspace, task: Task, sample: int, logs: Path) -> AgentEnding:
        values = {"folder": str(workspace.folder), "task": task.id, "sample": str(sample)}
        places = dict.fromkeys(("prompt_file", "prompt", "file", "language", "model"), "")
        words = self.agent.words(places | values, list(workspace.files.stubs))
        start = time.monotonic()
        with (logs / OUTPUT).open("w") as out, (logs / ERRORS).open("wb") as errors:
            client = ConfinedClient(workspace.folder, out)
            process = await self._start(words, workspace, errors)
            usage, problem = Usage(), ""
            try:
                talk = asyncio.create_task(self._talk(client, process, workspace))
                problem = await self._wait(talk, workspace)
                usage = Usage() if problem else await talk
            except (acp.RequestError, ConnectionError, ValueError) as error:
                problem = f"it broke off: {error}"
            finally:
                await _end(process)
        return AgentEnding(
            process.returncode,
            problem.startswith("it took"),
            time.monotonic() - start,
            problem,
            usage,
            self.agent.command,
            tuple(client.refused),
        )

    async def _wait(self, talk: "asyncio.Task[Usage]", workspace: Workspace) -> str:
        """Why it had to be ended; empty where it has an end of its own."""
        until = time.monotonic() + self.agent.seconds
        while not talk.done():
            await asyncio.wait([talk], timeout=PAUSE)
            if workspace.stop.is_set() or time.monotonic() > until:
                talk.cancel()
                late = f"it took longer than {self.agent.seconds:g} seconds"
                return STOPPED if workspace.stop.is_set() else late
        return ""

    async def _start(
        self, words: list[str], workspace: Workspace, errors: IO[bytes]
    ) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                *words,
                cwd=workspace.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=os.environ | environment(workspace) | dict(self.agent.environment),
                start_new_session=True,
                limit=LONGEST_LINE,
            )
        except OSError as error:
            raise PolyAssayError(
                f"The agent {words[0]} cannot be started: {error.strerror or error}.",
                hint="Is it installed, and on the PATH?",
            ) from None

    async def _talk(
        self, client: "ConfinedClient", process: asyncio.subprocess.Process, workspace: Workspace
    ) -> Usage:
        """One session with one prompt."""
        assert process.stdin and process.stdout
        agent = acp.connect_to_agent(cast(Any, client), process.stdin, process.stdout)
        files = FileSystemCapabilities(read_text_file=True, write_text_file=True)
        hello = await agent.initialize(
            protocol_version=acp.PROTOCOL_VERSION,
            client_capabilities=ClientCapabilities(fs=files, terminal=False),
            client_info=Implementation(name="polyassay", version=polyassay.__version__),
        )
        if hello.agent_info is not None:
            self.version = hello.agent_info.version
        session = await agent.new_session(cwd=str(workspace.folder), mcp_servers=[])
        text = workspace.prompt_file.read_text("utf-8")
        answer = await agent.prompt(session_id=session.session_id, prompt=[acp.text_block(text)])
        client.note({"stop_reason": str(answer.stop_reason)})
        used = answer.usage
        if used is None:
            return Usage()
        return Usage(
            used.input_tokens, used.output_tokens, used.cached_read_tokens, used.thought_tokens
        )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends the agent and whatever it started: its work is done, or over."""
    if process.stdin is not None:
        process.stdin.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), 2)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


@dataclass(slots=True)
class ConfinedClient:
    """Our end of the protocol: files of one folder, and a log of all that was said."""

    folder: Path
    log: IO[str]
    refused: list[str] = field(default_factory=list)

    def on_connect(self, conn: Any) -> None:
        """Nothing is said before the agent is asked."""

    def note(self, event: dict[str, Any]) -> None:
        self.log.write(json.dumps(event, ensure_ascii=False, default=str) + "\n")
        self.log.flush()

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.note(update.model_dump(mode="json", by_alias=True, exclude_none=True))

    async def read_text_file(
        self,
        session_id: str,
        path: str,
        line: int | None = None,
        limit: int | None = None,
        **_: Any,
    ) -> acp.ReadTextFileResponse:
        place = self._inside(path, "read")
        try:
            lines = place.read_text("utf-8").splitlines(keepends=True)
        except (OSError, UnicodeDecodeError):
            raise acp.RequestError.resource_not_found(path) from None
        first = max(0, (line or 1) - 1)
        wanted = lines[first : first + limit] if limit is not None else lines[first:]
        return acp.ReadTextFileResponse(content="".join(wanted))

    async def write_text_file(
        self, session_id: str, path: str, content: str, **_: Any
    ) -> acp.WriteTextFileResponse:
        place = self._inside(path, "write")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode())
        except (OSError, UnicodeEncodeError):
            raise acp.RequestError.invalid_params({"path": path}) from None
        self.note({"written": path})
        return acp.WriteTextFileResponse()

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **_: Any
    ) -> acp.RequestPermissionResponse:
        """Edits and reads inside of the folder may go on; commands and all else may not."""
        paths = [location.path for location in tool_call.locations or []]
        outside = [path for path in paths if not self._is_inside(path)]
        wanted = REJECT if outside or tool_call.kind in ("execute", "delete", "move") else ALLOW
        if wanted is REJECT:
            self._refuse(f"{tool_call.kind} {', '.join(outside) or tool_call.title or ''}".strip())
        chosen = next((option for option in options if option.kind in wanted), None)
        if chosen is None:
            return acp.RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        outcome = AllowedOutcome(outcome="selected", option_id=chosen.option_id)
        return acp.RequestPermissionResponse(outcome=outcome)

    def _is_inside(self, path: str) -> bool:
        """Where it leads, with all links followed, and also where only its folder exists."""
        return (self.folder / path).resolve().is_relative_to(self.folder)

    def _inside(self, path: str, verb: str) -> Path:
        if "\0" in path or not self._is_inside(path):
            self._refuse(f"{verb} {path}")
            raise acp.RequestError.invalid_params({"path": path, "reason": "outside"})
        return (self.folder / path).resolve()

    def _refuse(self, what: str) -> None:
        self.refused.append(what)
        self.note({"refused": what})
