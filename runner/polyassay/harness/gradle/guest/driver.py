"""Runs Gradle inside of the sandbox, for the runner that speaks frames with it.

The first frame lays out a project and compiles it, the second runs the tests of those candidates
that were built. A script of its own, for any interpreter. Usage: driver.py HARNESS_FOLDER
"""

import base64
import json
import os
import subprocess
import sys
from typing import Any, Dict, List

PARTS = ("candidate", "support", "tests")
OUTPUT_BYTES = 4 << 20
REQUEST_BYTES = 1 << 30  # the sources and files of a whole project


def lay_out(project: str, request: Dict[str, Any]) -> None:
    """Writes the project's files, and makes its folders even where they stay empty."""
    for folder in request["folders"]:
        os.makedirs(os.path.join(project, folder), exist_ok=True)
    for path, text in request["texts"].items():
        _write(os.path.join(project, path), text.encode("utf-8", "replace"))
    for path, content in request["files"].items():
        _write(os.path.join(project, path), base64.b64decode(content))


def _write(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def gradle(project: str, command: List[str], tasks: List[str]) -> str:
    """What Gradle printed; what it did shows in the project's folders."""
    log = os.path.join(project, "gradle.log")
    home = os.path.join(os.path.dirname(project), "gradle")
    with open(log, "wb") as out:
        subprocess.run(
            [*command, "--gradle-user-home", home, *tasks],
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    with open(log, "rb") as printed:
        return printed.read(OUTPUT_BYTES).decode("utf-8", "replace")


def classes(project: str, name: str) -> Dict[str, List[str]]:
    """By part, the classes that were compiled."""
    found: Dict[str, List[str]] = {}
    for part in PARTS:
        top = os.path.join(project, "build", "classes", "java", name + part.capitalize())
        found[part] = [
            os.path.relpath(os.path.join(folder, file), top)[: -len(".class")].replace("/", ".")
            for folder, _, files in os.walk(top)
            for file in files
            if file.endswith(".class")
        ]
    return found


def result(project: str, name: str) -> Any:
    """What console.py left; None: it did not come to its end."""
    path = os.path.join(project, "build", "test-results", name, "result.json")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def serve(harness: str) -> None:
    sys.path.insert(0, harness)
    from polyassay_harness.wire import frames

    project = os.path.join(os.getcwd(), "project")
    request = frames.receive(0, limit=REQUEST_BYTES)
    lay_out(project, request)
    names, command = request["names"], request["gradle"]
    printed = gradle(project, command, [f"{name}Classes" for name in names])
    built = {name: classes(project, name) for name in names}
    frames.send(1, {"printed": printed, "classes": built})
    try:
        names = frames.receive(0)["names"]
    except frames.StreamEnded:
        return  # the runner has seen enough
    printed = gradle(project, command, [f"{name}Junit" for name in names])
    results = {name: result(project, name) for name in names}
    frames.send(1, {"printed": printed, "results": results})


if __name__ == "__main__":
    serve(sys.argv[1])
