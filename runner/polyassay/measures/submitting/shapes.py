"""What tells codes apart, found out in a helper process, because answers are hostile text."""

import json
from collections.abc import Callable
from hashlib import sha256

from polyassay.helper_process import HelperEnded, HelperProcess
from polyassay.measures.submitting.bare_code import bare_code
from polyassay.model import Language, Task

DEADLINE = 60.0  # seconds of the helper's own a code; its limit of CPU time is far below

# Code and the task that it answers → the same text for codes that differ in nothing that matters.
ShapeOf = Callable[[str, Task | None], str]


class ShapeReader:
    """Owns the helper, which starts with the first code. Used by one thread."""

    def __init__(self) -> None:
        self._child: HelperProcess | None = None
        self._known: dict[tuple[bytes, str, str], str] = {}

    def __enter__(self) -> "ShapeReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def shape(self, code: str, task: Task | None) -> str:
        """Of an unknown task nothing but white space is ignored."""
        if task is None:
            return " ".join(code.split())
        mark = sha256(code.encode("utf-8", "surrogatepass")).digest()
        key = mark, str(task.language), task.entry
        if key not in self._known:
            self._known[key] = self._asked(code, task.language, task.entry)
        return self._known[key]

    def _asked(self, code: str, language: Language, entry: str) -> str:
        """Code that ends the helper is compared by its tokens, which cost little."""
        try:
            if self._child is None:
                module = "polyassay.measures.submitting.shape_server"
                self._child = HelperProcess(module, DEADLINE)
            self._child.send({"code": code, "language": str(language), "entry": entry})
            found = json.loads(self._child.receive())["shape"]
            if isinstance(found, str):
                return found
        except (HelperEnded, ValueError, KeyError, TypeError):
            self._stop()
        return bare_code(code, language)

    def _stop(self) -> None:
        if self._child:
            self._child.close()
        self._child = None
