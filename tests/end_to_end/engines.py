"""A Docker engine of the tests' own, beside any other."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from real_parts import missing, need


@contextmanager
def running_engine(folder: Path) -> Iterator[str]:
    """The address of an engine that keeps everything in a folder, and is gone afterwards."""
    if os.geteuid() != 0:
        missing("docker", "only root can start an engine")
    need("docker")
    address = f"unix://{folder}/docker.sock"
    with (folder / "log").open("w") as log:
        daemon = subprocess.Popen(
            [
                *("dockerd", "--storage-driver=overlay2", "--bridge=none", "--iptables=false"),
                *(f"--data-root={folder}/data", f"--exec-root={folder}/exec"),
                *(f"--pidfile={folder}/pid", f"--host={address}"),
            ],
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + 60
        while not _answers(folder / "docker.sock"):
            if daemon.poll() is not None or time.monotonic() > deadline:
                last = (folder / "log").read_text().splitlines()[-1:]
                missing("docker", f"dockerd does not start here: {last}")
            time.sleep(0.1)
        yield address
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _answers(place: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place))
            return True
    except OSError:
        return False
