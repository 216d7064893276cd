"""A tool's answers: a native answer file, append-only, a line durable before it counts.

One process at a time has it; the kernel frees its lock however that process ends. What a kill left
of a line at the end is dropped when the file is opened again.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from polyassay.errors import PolyAssayError, json_reason


class AnswerKey(NamedTuple):
    suite: str
    task: str
    prompt_language: str
    sample: int


class AnswerFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise PolyAssayError(
                f"{path} cannot be written: {error.strerror}.", "choose another file with -o."
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise PolyAssayError(
                f"Another process is writing {path}.", "wait for it, or stop it first."
            ) from None
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        os.fsync(folder)  # so that the file's name, too, survives a power cut
        os.close(folder)
        self.answers: dict[AnswerKey, Mapping[str, Any]] = {}  # key → origin, without the response
        self._mend()
        self._read()

    def _mend(self) -> None:
        """Drops a line that was never finished; keeps one that only lacks its end."""
        size = os.fstat(self._file).st_size
        if not size or os.pread(self._file, 1, size - 1) == b"\n":
            return
        content = os.pread(self._file, size, 0)
        start = content.rfind(b"\n") + 1
        try:
            json.loads(content[start:])
            os.pwrite(self._file, b"\n", size)
        except ValueError:
            os.ftruncate(self._file, start)
        os.fsync(self._file)

    def _read(self) -> None:
        lines = self.path.read_bytes().splitlines()
        for number, line in enumerate(lines, start=1):
            try:
                value = json.loads(line)
                key = AnswerKey(
                    value["suite"], value["task"], value["prompt_language"], value["sample"]
                )
                origin = {k: v for k, v in value["origin"].items() if k != "raw"}
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                why = json_reason(error) if isinstance(error, json.JSONDecodeError) else "no origin"
                raise PolyAssayError(
                    f"{self.path}, line {number}: is no answer that was asked for here ({why}).",
                    "name another file; answers that exist already are a tool via files.",
                ) from None
            self.answers[key] = origin

    def add(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Appends answers in one write; they are on the disk when it returns."""
        values = list(lines)
        text = "".join(json.dumps(value, ensure_ascii=True) + "\n" for value in values)
        data = text.encode("ascii")
        os.lseek(self._file, 0, os.SEEK_END)
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
        for value in values:
            key = AnswerKey(
                value["suite"], value["task"], value["prompt_language"], value["sample"]
            )
            self.answers[key] = {k: v for k, v in value["origin"].items() if k != "raw"}

    def origins(self) -> Iterator[Mapping[str, Any]]:
        yield from self.answers.values()

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()
