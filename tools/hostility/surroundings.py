"""The canaries: a folder, a listener, a secret; and what can be seen of the host afterwards."""

import os
import secrets
import select
import socket
import time
from pathlib import Path

KEPT = "this file is not the candidate's\n"


class Surroundings:
    """What a candidate would find if it got out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "canary"
        self.secret = f"secret-{secrets.token_hex(12)}"
        self._tcp, self._udp = _listeners()
        self.port = self._tcp.getsockname()[1]
        self.folder.mkdir()

    def reset(self) -> None:
        self.folder.chmod(0o777)
        (self.folder / "keep.txt").write_text(KEPT)
        self.heard()

    def places(self) -> dict[str, str]:
        return {"CANARY_DIR": str(self.folder), "CANARY_PORT": str(self.port)}

    def heard(self) -> bool:
        """Whether anybody connected or sent something since the last time."""
        heard = False
        while ready := select.select([self._tcp, self._udp], [], [], 0)[0]:
            heard = True
            for listener in ready:
                if listener is self._tcp:
                    listener.accept()[0].close()
                else:
                    listener.recv(1 << 16)
        return heard

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


def _listeners() -> tuple[socket.socket, socket.socket]:
    while True:
        tcp = socket.create_server(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            udp.bind(tcp.getsockname())
        except OSError:  # the number is taken
            tcp.close()
            udp.close()
        else:
            return tcp, udp


def gone(match: str, grace: float = 2.0) -> bool:
    """Whether no process of that name or command line is there, after a moment for it to end."""
    deadline = time.monotonic() + grace
    while any(match in text for text in _names()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _names() -> list[str]:
    texts = []
    own = {os.getpid(), os.getppid()}
    for place in Path("/proc").glob("[0-9]*"):
        if int(place.name) in own:
            continue
        for name in ("comm", "cmdline"):
            try:
                texts.append((place / name).read_text(errors="replace").replace("\0", " "))
            except OSError:
                continue
    return texts


def has_ipc(key: str) -> bool:
    """Whether a System V object of that key exists."""
    number = int(key, 0) if isinstance(key, str) else int(key)
    for kind in ("shm", "sem", "msg"):
        for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]:
            if int(line.split()[0]) & 0xFFFFFFFF == number & 0xFFFFFFFF:
                return True
    return False
