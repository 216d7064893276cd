"""What `serve` and `grade serve` say to a person, beside a server that is interrupted at once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from command_line import write_jsonl
from end_to_end.grading import grade, grading_folder
from polyassay.cli import polyassay


class Interrupted:
    """A server whose user presses Ctrl-C."""

    def url(self, token: str) -> str:
        return f"http://127.0.0.1:1/{token}/"

    def serve(self) -> None:
        raise KeyboardInterrupt


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What stands in the addresses, which nobody can guess."""
    found: list[str] = []

    def listen(rooms: Mapping[str, Any], *_: Any) -> Interrupted:
        found.extend(rooms)
        return Interrupted()

    for command in ("results", "grade"):
        monkeypatch.setattr(f"polyassay.cli.{command}.serve.listen", listen)
    return found


def test_serve_says_where_and_how_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tokens: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(polyassay, ["serve"])
    assert (shown.exit_code, shown.exception) == (0, None)
    assert shown.stdout == f"http://127.0.0.1:1/{tokens[0]}/\n"
    assert shown.stderr == "Ctrl-C ends the server.\n\n"


def test_grade_serve_gives_each_grader_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tokens: list[str]
) -> None:
    folder = grading_folder(tmp_path, monkeypatch)
    write_jsonl(folder / "answers.jsonl", [{"task": "t1", "tool": "finch", "answer": "x = 1"}])
    who = ("--grader", "ann", "--grader", "bob")
    shown = grade("serve", "-c", "answers.jsonl", "-s", "manual", *who)
    ann, bob = tokens
    assert ann != bob and min(map(len, tokens)) > 20
    assert shown.stdout.splitlines() == [
        f"ann:  http://127.0.0.1:1/{ann}/",
        f"bob:  http://127.0.0.1:1/{bob}/",
    ]
    assert shown.stderr.endswith("Everything is saved at once. Ctrl-C ends the server.\n\n")
