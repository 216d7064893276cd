"""The server: a thread a request, an application a token."""

import contextlib
import hmac
import json
import secrets
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from polyassay.errors import PolyAssayError
from polyassay.web.messages import Application, Request, Response, refusal

LOOPBACK = "127.0.0.1"
ANY = ("0.0.0.0", "::")  # noqa: S104 – only where the user asked for it
MOST_BYTES = 64 * 1024  # of what a page sends
SECONDS = 30  # for a request to arrive
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def new_token() -> str:
    return secrets.token_urlsafe(24)


def kept_token(file: Path) -> str:
    """Random, and kept in a file, so that an open page goes on after a restart."""
    try:
        known: Any = json.loads(file.read_text())
        return str(known["token"])
    except (OSError, ValueError, KeyError, TypeError):
        token = new_token()
    with contextlib.suppress(OSError):  # then the next start has another one
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(json.dumps({"token": token}))
    return token


class SmallServer:
    """Serves applications until it is closed."""

    def __init__(
        self, applications: Mapping[str, Application], host: str = LOOPBACK, port: int = 0
    ) -> None:
        """`applications` by token; port 0: any that is free."""
        try:
            self._server = _Threads((host, port), _Handler)
        except OSError as error:
            raise PolyAssayError(
                f"The server cannot listen on {host}, port {port}: {error.strerror}.",
                hint="Choose another port with --port, or leave it out.",
            ) from None
        self.port = int(self._server.server_address[1])
        self._server.applications = dict(applications)
        self._server.hosts = _host_names(host, self.port)
        self._shown = LOOPBACK if host in ANY else host

    def url(self, token: str) -> str:
        shown = f"[{self._shown}]" if ":" in self._shown else self._shown
        return f"http://{shown}:{self.port}/{token}/"

    def serve(self) -> None:
        """Until the process is interrupted, or `close` is called."""
        self._server.serve_forever(poll_interval=0.1)

    def start(self) -> threading.Thread:
        thread = threading.Thread(target=self.serve, daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def listen(
    applications: Mapping[str, Application], host: str, port: int | None, usual: int
) -> SmallServer:
    """On the usual port, so that an open page finds the server again; else on a free one."""
    if port is not None:
        return SmallServer(applications, host, port)
    try:
        return SmallServer(applications, host, usual)
    except PolyAssayError:
        return SmallServer(applications, host, 0)


def _host_names(host: str, port: int) -> frozenset[str] | None:
    """What the Host header may say; none: whatever the machine is called, on the user's word."""
    if host in ANY:
        return None
    names = {host, LOOPBACK, "localhost", "[::1]", f"[{host}]"}
    return frozenset(f"{name}:{port}" for name in names)


class _Threads(ThreadingHTTPServer):
    daemon_threads = True
    applications: Mapping[str, Application]
    hosts: frozenset[str] | None

    def handle_error(self, request: object, client_address: object) -> None:
        """A page that went away is nobody's mistake; ours are told as those of any thread."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError | TimeoutError):
            thread = threading.current_thread()
            told = threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
            threading.excepthook(told)


class _Handler(BaseHTTPRequestHandler):
    server: _Threads
    protocol_version = "HTTP/1.1"
    server_version = "PolyAssay"
    sys_version = ""
    timeout = SECONDS

    def do_GET(self) -> None:
        self._answer(self._asked("GET"))

    def do_POST(self) -> None:
        self._answer(self._asked("POST"))

    def _asked(self, method: str) -> Response:
        """Every check comes before the application hears of it."""
        problem = self._other_host() or (method == "POST" and self._other_site())
        if problem:
            self.close_connection = True
            return refusal(403, problem)
        application, path = self._application()
        if application is None:
            self.close_connection = True
            return refusal(404, "There is nothing here.")
        body: Any = None
        if method == "POST":
            body = self._body()
            if isinstance(body, Response):
                self.close_connection = True
                return body
        try:
            return application(Request(method, path, body))
        except PolyAssayError as error:
            return refusal(500, f"{error.problem} {error.hint}")

    def _other_host(self) -> str:
        """A page of another site that has this address under its own name is not let in."""
        allowed = self.server.hosts
        named = self.headers.get_all("Host") or []
        if len(named) == 1 and (allowed is None or named[0].lower() in allowed):
            return ""
        return "This server does not answer to that name."

    def _other_site(self) -> str:
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")
        same = origin is None or urlsplit(origin).netloc == self.headers.get("Host")
        if same and site in (None, "same-origin"):
            return ""
        return "Another site's page may not send anything here."

    def _application(self) -> tuple[Application | None, str]:
        _, _, rest = unquote(urlsplit(self.path).path).partition("/")
        token, slash, path = rest.partition("/")
        given = token.encode("utf-8", "surrogatepass")
        for known, application in self.server.applications.items():
            if hmac.compare_digest(known.encode(), given) and slash:
                return application, path
        return None, ""

    def _body(self) -> Any:
        if self.headers.get_content_type() != "application/json":
            return refusal(415, "Only JSON is taken here.")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return refusal(413, f"Say how long it is; at most {MOST_BYTES} bytes.")
        try:
            return json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return refusal(400, "This is not JSON.")

    def _answer(self, response: Response) -> None:
        self.send_response(response.status)
        self.send_header("Content-Type", f"{response.content_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(response.body)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(response.body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Nothing: addresses hold the token."""
