"""llama.cpp's own server with a random model, for tests of what asks models."""

import importlib.util
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from real_parts import missing

SCRIPTS = Path(__file__).resolve().parent.parent / "tools" / "model-server"
KEY = "sk-tests-0123456789abcdef"
STARTING = 120.0  # seconds; a busy machine is slow


def need_model_server() -> None:
    lacking = [name for name in ("gguf", "xllamacpp") if not importlib.util.find_spec(name)]
    if lacking:
        missing("model server", f"{' and '.join(lacking)}: pip install -e '.[model-server]'")


@contextmanager
def model_server(folder: Path, *flags: str) -> Iterator[int]:
    """The port of a server that is ready."""
    need_model_server()
    model = folder / "tiny.gguf"
    subprocess.run([sys.executable, SCRIPTS / "tiny_model.py", model], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [
        sys.executable,
        str(SCRIPTS / "serve.py"),
        str(model),
        str(port),
        "--api-key",
        KEY,
        *flags,
    ]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait(process, port)
            yield port
        finally:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail("the model server ended by itself")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail("the model server was never ready")
