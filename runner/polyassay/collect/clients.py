"""Agents that edit files as tools of a study: `via = "workspace"` and `via = "acp"`."""

import asyncio
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from polyassay.collect.agents import Agent, agent_of, preset, version_of
from polyassay.collect.fill import Editor
from polyassay.collect.stubs import TaskFiles, workspace_files
from polyassay.collect.wording import instructions
from polyassay.collect.workspace import (
    ERRORS,
    OUTPUT,
    AgentEnding,
    CommandEditor,
    Harvest,
    harvest,
    opened,
    tail,
    without_comment,
)
from polyassay.errors import PolyAssayError
from polyassay.generate.replies import AskError, Finish, Question, Reply, Tokens
from polyassay.generate.tools import Tool
from polyassay.model import Task
from polyassay.suites.registry import Registry

KEPT = 200_000  # characters of an output that an answer's line keeps, from its end


class AgentClient:
    """Asks one agent: a fresh folder a question, harvested when the agent is done."""

    at_once = 1

    def __init__(self, tool: Tool, editor: Editor) -> None:
        self._tool, self._editor = tool, editor
        self._stop = threading.Event()

    async def ask(self, question: Question) -> Sequence[Reply]:
        try:
            return [await asyncio.to_thread(self._answer, question)]
        except PolyAssayError as error:  # it cannot be started
            raise AskError(error.problem.rstrip("."), retry=False, hint=error.hint) from None
        except asyncio.CancelledError:
            self._stop.set()  # the thread ends its agent, and then itself
            raise

    async def close(self) -> None:
        self._stop.set()

    def _answer(self, question: Question) -> Reply:
        task, language = question.task, question.prompt_language
        files = workspace_files(task, _jars(task), language)
        messages = (m for m in question.prompt.messages if m.role != "system")
        said = "\n\n".join(message.content for message in messages)
        prompt = instructions(task, list(files.stubs), language, said)
        with opened(files, prompt, self._stop) as workspace, tempfile.TemporaryDirectory() as place:
            logs = Path(place)
            ending = self._editor.edit(workspace, task, question.samples[0], logs)
            raw = {name: tail(logs / name)[-KEPT:] for name in (OUTPUT, ERRORS)}
            found = harvest(workspace, task)
        return self._reply(task, files, ending, found, raw)

    def _reply(
        self, task: Task, files: TaskFiles, ending: AgentEnding, found: Harvest, raw: dict[str, str]
    ) -> Reply:
        """What it says or returns decides nothing; what it wrote into its stubs is the answer."""
        texts = {
            path: without_comment(files.stubs[path], text) for path, text in found.texts.items()
        } | dict(found.helpers)
        if not found.edited:
            finish, texts = Finish.EMPTY, {}
        else:
            finish = Finish.TRUNCATED if ending.timed_out else Finish.COMPLETE
        usage = ending.usage
        return Reply(
            "" if task.solution else next(iter(texts.values()), ""),
            finish,
            ending.problem or ("" if found.edited else "no stub was edited"),
            tokens=Tokens(usage.input, usage.output, usage.cached, usage.reasoning),
            raw=raw,
            cost=usage.cost,
            files=texts if task.solution and texts else None,
            version=self._editor.version or "",
            notes=_notes(ending, found),
        )


class WorkspaceClient(AgentClient):
    def __init__(self, tool: Tool) -> None:
        agent = _agent(tool)
        version = str(tool.values["version"]) if "version" in tool.values else version_of(agent)
        super().__init__(tool, CommandEditor(agent, tool.model, version))


class AcpClient(AgentClient):
    def __init__(self, tool: Tool) -> None:
        from polyassay.collect.acp_client import AcpEditor  # an extra brings its library

        super().__init__(tool, AcpEditor(_agent(tool)))


def _agent(tool: Tool) -> Agent:
    values = tool.values
    if ("command" in values) == ("preset" in values):
        raise PolyAssayError(
            f'The tool "{tool.name}" needs a command or a preset, and not both.',
            hint='as in command = ["my-agent", "{prompt_file}"], or preset = "aider".',
        )
    found = agent_of(values["command"]) if "command" in values else preset(values["preset"])
    return replace(found, seconds=tool.seconds)


def _jars(task: Task) -> dict[str, str]:
    """Of the task's suite; a question carries only their names."""
    if not task.jars:
        return {}
    return dict(Registry(Path.cwd() / ".polyassay").load(task.suite).jars)


def _notes(ending: AgentEnding, found: Harvest) -> dict[str, Any]:
    return {
        "exit_code": ending.exit_code,
        "timed_out": ending.timed_out,
        "changed": list(found.changed),
        "added": list(found.added),
        "refused": list(ending.refused),
    }
