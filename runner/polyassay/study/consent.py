"""Asks once before a suite's prompts leave this machine."""

import ipaddress
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.generate.tools import Tool

FILE = "sent-to.json"


def is_here(host: str) -> bool:
    """Whether a host is this machine; a tool without a host runs here."""
    if not host or host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Consent:
    """What may be sent where: said in the study, on the command line, or when asked before."""

    def __init__(
        self, home: Path, allowed: Iterable[str], yes: bool, ask: Callable[[str], bool] | None
    ) -> None:
        self._file = home / FILE
        self._allowed, self._yes, self._ask = set(allowed), yes, ask

    def require(self, tools: Iterable[Tool], suites: Iterable[str]) -> None:
        """Refuses before anything is sent to a host that was not agreed to."""
        given = self._given()
        for host in sorted({tool.host for tool in tools if not is_here(tool.host)}):
            new = [name for name in suites if [host, name] not in given]
            if not new or host in self._allowed:
                continue
            what = f"The prompts of {', '.join(new)} would be sent to {host}"
            if not self._yes and not (self._ask and self._ask(f"{what}. Send them?")):
                raise PolyAssayError(
                    f"{what}, which nobody has agreed to.",
                    f'say --yes, or put send_to = ["{host}"] into the study.',
                )
            given += [[host, name] for name in new]
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(given))

    def _given(self) -> list[list[str]]:
        try:
            found = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return []
        return found if isinstance(found, list) else []
