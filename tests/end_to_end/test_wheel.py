"""The wheel that the documents' own commands build, in a fresh environment without a checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import write_jsonl
from documents import ROOT, blocks
from real_parts import need

PARTS = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "runner",
    "python-harness",
    "java-harness",
    "datasets",
)
PAGES = ("docs/install.md", "RELEASING.md")
TASK = {
    "id": "inc",
    "language": "python",
    "style": "function",
    "entry": "inc",
    "tests": [{"code": "assert inc(1) == 2"}],
    "reference": "def inc(x):\n    return x + 1\n",
}


def commands(page: str) -> list[str]:
    """The lines of a page's blocks that this test is said to run."""
    own = f"tests/end_to_end/{Path(__file__).name}"
    return [
        line
        for block in blocks(ROOT / page)
        if block.mark("run by") == own
        for line in block.script.splitlines()
    ]


def shell(line: str, folder: Path) -> str:
    """What a line printed, in a shell that knows nothing of the checkout but where uvx is."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    clean["PATH"] += os.pathsep + str(Path(sys.executable).parent)
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line],
        cwd=folder,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, f"{line}\n{ended.stdout}"
    return ended.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a checkout that was set up, and holds the wheel afterwards."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in (*PARTS, ".venv"):
        (folder / name).symlink_to(ROOT / name)
    shell(commands("docs/install.md")[0], folder)
    for name in (*PARTS, ".venv"):  # from here on there is only the wheel
        (folder / name).unlink()
    return folder


def test_the_wheel_works_in_a_fresh_environment(place: Path) -> None:
    need("bubblewrap")
    need("java")
    line = next(line for line in commands("docs/install.md") if line.startswith("python3 -m venv"))
    said = shell(line, place)
    assert said.count("a good candidate passed and a bad one failed") == 2  # Java and Python
    program = place / "polyassay" / "bin" / "polyassay"
    write_jsonl(place / "inc.jsonl", [TASK])
    assert "inc: 1 task, added" in shell(f"'{program}' suites add native --from inc.jsonl", place)
    judged = shell(
        f"'{program}' run -s inc -s starter-java --task inc --task median -c reference", place
    )
    assert "2/2" in judged


def test_the_wheel_works_by_uvx(place: Path) -> None:
    line = next(line for line in commands("docs/install.md") if line.startswith("uvx"))
    assert shell(line, place).count("a good candidate passed and a bad one failed") == 2


def test_releasing_builds_the_same_wheel() -> None:
    releasing, installing = commands("RELEASING.md"), commands("docs/install.md")
    assert releasing[0] == installing[0]
    assert releasing[1:] == [
        "python3 -m venv trial && trial/bin/pip install --quiet dist/polyassay-*.whl",
        "trial/bin/polyassay doctor",
    ]
