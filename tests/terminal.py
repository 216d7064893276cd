"""A real terminal for tests: tmux runs the program, keys go in, screens come out."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# The window alone says how large it is: pytest's workers have COLUMNS and LINES of their own.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")},
    "LC_ALL": "C.UTF-8",
}


class Terminal:
    """One program in one window; every screen that was looked at is kept."""

    def __init__(
        self, command: Sequence[str], folder: Path, env: Mapping[str, str], size: str = "130x40"
    ) -> None:
        self._socket = str(folder / f"tmux-{time.monotonic_ns()}")
        width, height = size.split("x")
        self.screens: list[str] = []
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", "-x", width, "-y", height, "-c", str(folder)),
            *(part for name, value in env.items() for part in ("-e", f"{name}={value}")),
            *command,
            *(";", "set-option", "remain-on-exit", "on"),
        )

    def _tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-S", self._socket, *arguments],
            check=True,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
        ).stdout

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def screen(self) -> str:
        self.screens.append(self._tmux("capture-pane", "-p"))
        return self.screens[-1]

    def wait_for(self, *shows: str, without: str = "\0", seconds: float = 60) -> str:
        """The first screen that shows all of it; a screen may be caught half drawn before."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            screen = self.screen()
            if all(part in screen for part in shows) and without not in screen:
                return screen
            time.sleep(0.02)
        raise AssertionError(f"{shows} never came; the screen is\n{self.screen()}")

    def kill(self) -> None:
        """As a power cut would: no chance to tidy up."""
        os.kill(int(self._tmux("display-message", "-p", "#{pane_pid}")), signal.SIGKILL)
        self.wait_for_end()

    def wait_for_end(self) -> None:
        """The program has left by itself, and has written what it writes last."""
        while self._tmux("display-message", "-p", "#{pane_dead}").strip() != "1":
            time.sleep(0.02)

    def close(self) -> None:
        self._tmux("kill-server")
