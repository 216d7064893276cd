"""A guest that is started outside of a sandbox touches nothing in the folder it is started in."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from polyassay.harness import RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.harness.java.jvm import JvmSpec, java_command
from polyassay.harness.java.messages import Load, RunProgram, RunTests
from polyassay.harness.java.wire import encode
from polyassay.harness.python.zygote import HARNESS, START
from polyassay.sandbox.choose import find
from real_parts import given

JVMS = {
    "worker": (JvmSpec(128, worker=True), Load("A", "B", 1000, {})),
    "executor": (
        JvmSpec(128),
        RunTests(b"n", ("T",), ("t",), False, True, (), 1000, {"new": b""}, {}),
    ),
    "program": (JvmSpec(128, program=True), RunProgram(b"n", "A", b"", 1000, {"new": b""}, {})),
}


def precious(folder: Path) -> Path:
    (folder / "src").mkdir()
    (folder / "src" / "kept").write_text("precious")
    return folder


def expect_untouched(folder: Path) -> None:
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) == [
        "src",
        "src/kept",
    ]
    assert (folder / "src" / "kept").read_text() == "precious"


def run(command: list[str], folder: Path, told: bytes, **variables: str) -> str:
    sent = struct.pack(">I", len(told)) + told
    done = subprocess.run(
        command,
        input=sent,
        capture_output=True,
        cwd=folder,
        env=os.environ | variables,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    return done.stderr.decode()


@pytest.mark.parametrize("kind", JVMS)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_jvms(kind: str, elsewhere: bool, java_home: Path, tmp_path: Path) -> None:
    with given("java"):
        harness = JavaHarness(RunSettings(find(), java_home))
    harness.close()
    spec, message = JVMS[kind]
    folder = precious(tmp_path)
    more = {"POLYASSAY_SCRATCH": str(java_home)} if elsewhere else {}
    said = run(list(java_command(harness.image, spec)), folder, encode(message), **more)
    expect_untouched(folder)
    assert "no folder that a sandbox made" in said


@pytest.mark.parametrize("part", ["zygote", "judge", "notebook.kernel"])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_interpreters(part: str, elsewhere: bool, tmp_path: Path) -> None:
    folder = precious(tmp_path)
    command = [sys.executable, "-s", "-c", START.format(part=part), str(HARNESS)]
    command += ["single", "", ""] if part == "zygote" else []
    more = {"POLYASSAY_SCRATCH": str(HARNESS)} if elsewhere else {}
    said = run(command, folder, b"{}", **more)
    expect_untouched(folder)
    assert "no folder that a sandbox made" in said
