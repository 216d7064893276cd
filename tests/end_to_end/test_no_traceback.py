"""A mistake of our own is told in a sentence, also with JPype's JVM in the process."""

import subprocess
import sys
from pathlib import Path

import pytest

from command_line import PolyAssay, environment

ROW = (
    '{"task_id": "MBPP/1", "language": "python", "prompt": "def f():\\n", "entry_point": "f",'
    ' "test": "def check(candidate):\\n    assert candidate() == 1\\n"}\n'
)
MISTAKEN = """
import sys
from polyassay.suites.java.sources import parse
from polyassay.suites.registry import Registry

def fails(*_, **__):
    parse(["class A { void f() {} }"])
    import jpype
    assert jpype.isJVMStarted()
    THROW

Registry.add = fails
sys.argv = ["polyassay", "suites", "add", "mxeval", "--from", "mbpp.jsonl"]
from polyassay.__main__ import main
main()
"""


@pytest.mark.parametrize("command", ["suites list", "--version"])
@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        (">/dev/full", 2, "Standard output takes no more: No space left on device."),
        (">&-", 2, "Standard output is closed, so no result could be told."),
        (">/dev/null 2>&-", 0, ""),
        (">/dev/null 2>/dev/full", 0, ""),
        (">/dev/null <&-", 0, ""),
        (">&- 2>&-", 2, ""),
    ],
)
def test_streams_that_take_nothing_are_told_in_a_sentence(
    command: str, streams: str, code: int, said: str, tmp_path: Path
) -> None:
    line = f"{sys.executable} -m polyassay {command} {streams}"
    ended = subprocess.run(
        line,
        shell=True,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == code, ended
    assert ended.stderr.startswith(f"Error: {said}" if said else "")
    assert ended.stderr.count("\n") == 2 * bool(said)
    assert "mistake" not in ended.stderr


@pytest.mark.parametrize(
    "throw",
    [
        'raise RuntimeError("broken")',
        'jpype.JClass("java.lang.Integer").parseInt("x")',
        'raise jpype.JClass("java.lang.OutOfMemoryError")("heap")',
        "fails()",
        "raise MemoryError",
    ],
)
def test_one_sentence_with_a_jvm_in_the_process(throw: str, tmp_path: Path) -> None:
    (tmp_path / "mbpp.jsonl").write_text(ROW)
    (tmp_path / ".polyassay").mkdir()
    told = subprocess.run(
        [sys.executable, "-c", MISTAKEN.replace("THROW", throw)],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 2, told.stderr
    told_last = [line[:6] for line in told.stderr.splitlines() if not line.startswith("Looking")]
    assert told_last == ["Error:", "Hint: "]  # on a busy machine it says first what it is at
    assert len(list((tmp_path / ".polyassay").glob("error-*.txt"))) == 1


def test_python_rows_of_mxeval_need_no_java(polyassay: PolyAssay, tmp_path: Path) -> None:
    (tmp_path / "mbpp.jsonl").write_text(ROW)
    added = polyassay("suites", "add", "mxeval", "--from", "mbpp.jsonl", JAVA_HOME="/nowhere")
    assert (added.returncode, added.stderr) == (0, "")
