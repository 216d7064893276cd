"""An agent that is a command, as something that works in workspaces."""

from dataclasses import dataclass
from pathlib import Path

from polyassay.collect.agents import Agent
from polyassay.collect.workspace import Ending, Workspace, run_command
from polyassay.model import Task


@dataclass(frozen=True, slots=True)
class CommandWorker:
    agent: Agent
    model: str = ""
    version: str | None = None
    via: str = "workspace"

    def work(self, workspace: Workspace, task: Task, sample: int, logs: Path) -> Ending:
        return run_command(self.agent, workspace, task, sample, logs, self.model)
