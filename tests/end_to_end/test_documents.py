"""The blocks of each document, run in their order; tests/documents.py has their marks."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import environment
from documents import ROOT, Block, blocks, pages
from real_parts import need

RUN = {
    str(page.relative_to(ROOT)): found
    for page in pages()
    if (found := [block for block in blocks(page) if not block.left_out])
}


def shell(code: str, folder: Path, where: str) -> None:
    """Runs shell code in a page's folder; a command that fails, fails the test."""
    programs = folder / "bin"  # where pages put programs that a reader has
    programs.mkdir(exist_ok=True)
    ours = programs / "polyassay"  # this interpreter's, wherever another one may be installed
    ours.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m polyassay "$@"\n')
    ours.chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=environment(PATH=path, HOME=str(folder), CHECKOUT=str(ROOT), COLUMNS="120"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
        check=False,
    )
    if ended.returncode:
        pytest.fail(f"{where} ended with {ended.returncode}\n{code}\n{ended.stdout}", pytrace=False)


def follow(block: Block, folder: Path) -> None:
    """Does what a reader does with one block."""
    if first := block.mark("run first"):
        shell(first, folder, f"{block}, what comes before it")
    if name := block.mark("file"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(block.text, "utf-8")
    elif not block.mark("schema"):
        shell(block.script, folder, str(block))


@pytest.mark.parametrize("page", RUN)
def test_the_blocks_of_a_page_work(page: str, tmp_path: Path) -> None:
    need("bubblewrap")
    need("java")
    for block in RUN[page]:
        follow(block, tmp_path)


def test_a_command_that_fails_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"ended with 2\n(?s:.*)no run yet"):
        shell("polyassay score nothing | cat\necho unreachable", tmp_path, "a made page")
