"""Where a study's keys stand in its file, because tomllib forgets that."""

import re

HEADER = re.compile(r"\s*\[{1,2}\s*([\w.\-]+)\s*\]{1,2}")
KEY = re.compile(r"""\s*["']?([\w.\-]+)["']?\s*=""")


class StudyLines:
    """Table (`tool` number 1 is "tool.1", the top is "") and key → line."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._lines: dict[tuple[str, str], int] = {}
        table, tools = "", 0
        for number, line in enumerate(text.splitlines(), start=1):
            if header := HEADER.match(line):
                table = header[1]
                if table == "tool":
                    table, tools = f"tool.{tools}", tools + 1
                self._lines.setdefault((table, ""), number)
            elif key := KEY.match(line):
                self._lines.setdefault((table, key[1]), number)

    def place(self, table: str = "", key: str = "") -> str:
        """How a complaint begins: `study.toml, line 4`."""
        line = self._lines.get((table, key)) or self._lines.get((table, ""))
        return f"{self._name}, line {line}" if line else self._name
