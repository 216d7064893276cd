"""A proxy in front of a model server that breaks things on purpose and keeps what it was sent."""

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    status: int = 0  # answers with this status instead of asking the server
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"error": {"message": "planned", "type": "planned"}}'
    reset: bool = False  # the connection is torn down
    slow: float = 0.0  # seconds between the bytes of the body
    cut: bool = False  # the body ends before it is complete


@dataclass(frozen=True)
class Sent:
    path: str
    headers: dict[str, str]
    body: Any


Plan = Callable[[int, Any], Fault | None]  # number of the request and its body → what goes wrong


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Connections break here on purpose."""


class FaultProxy:
    """Forwards to an upstream port, or answers by itself where the plan gives a status."""

    def __init__(self, upstream: int = 0, plan: Plan = lambda _number, _body: None) -> None:
        self.upstream, self.plan = upstream, plan
        self.log: list[Sent] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        self._server = _QuietServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def arrived(self, sent: Sent) -> int:
        with self._lock:
            self.log.append(sent)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return len(self.log) - 1

    def left(self) -> None:
        with self._lock:
            self.at_once -= 1

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(proxy: FaultProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_arguments: object) -> None:
            pass

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent = Sent(self.path, headers, json.loads(text))
            number = proxy.arrived(sent)
            with suppress(BrokenPipeError, ConnectionResetError):  # the client was killed
                self._answer(proxy.plan(number, sent.body) or Fault(), text)
            proxy.left()

        def _answer(self, fault: Fault, text: bytes) -> None:
            if fault.reset:
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                self.close_connection = True
                return
            if fault.status:
                status, kind, body = fault.status, "application/json", fault.body
            else:
                status, kind, body = self._forwarded(text)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            for name, value in fault.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if fault.cut:
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            for byte in [bytes([b]) for b in body] if fault.slow else [body]:
                self.wfile.write(byte)
                time.sleep(fault.slow)

        def _forwarded(self, text: bytes) -> tuple[int, str, bytes]:
            upstream = http.client.HTTPConnection("127.0.0.1", proxy.upstream, timeout=120)
            passed = {
                name: value
                for name, value in self.headers.items()
                if name.lower() in ("authorization", "content-type", "x-api-key")
            }
            upstream.request("POST", self.path, text, passed)
            response = upstream.getresponse()
            found = response.status, response.getheader("content-type", ""), response.read()
            upstream.close()
            return found

    return Handler
