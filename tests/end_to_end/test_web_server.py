"""The small server: only its own names, its token, its page; nothing else comes in or out."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from polyassay.errors import PolyAssayError
from polyassay.web.messages import Request, Response, as_json
from polyassay.web.server import ANY, MOST_BYTES, SmallServer, new_token

TOKEN = new_token()


def application(request: Request) -> Response:
    if request.path == "mistake":
        raise KeyError("ours")
    if request.path == "fails":
        raise PolyAssayError("The disk is full.", hint="Make room.")
    return as_json({"path": request.path, "body": request.body})


@pytest.fixture(scope="module")
def server() -> Iterator[SmallServer]:
    started = SmallServer({TOKEN: application})
    started.start()
    yield started
    started.close()


def ask(
    server: SmallServer,
    path: str,
    body: object = None,
    method: str = "",
    raw: bytes | None = None,
    **headers: str,
) -> tuple[int, dict[str, str], object]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    content = raw if raw is not None else None if body is None else json.dumps(body).encode()
    if content is not None:
        sent = {"Content-Type": "application/json"} | sent
    connection.request(method or ("POST" if content is not None else "GET"), path, content, sent)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    found = json.loads(text) if response.headers.get_content_type() == "application/json" else text
    return response.status, dict(response.headers), found


def test_an_application_is_found_by_its_token_alone(server: SmallServer) -> None:
    assert server.url(TOKEN) == f"http://127.0.0.1:{server.port}/{TOKEN}/"
    assert ask(server, f"/{TOKEN}/x")[::2] == (200, {"path": "x", "body": None})
    for path in ("/", f"/{TOKEN}", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/", "/%ff%00/", "//"):
        assert ask(server, path)[0] == 404, path


def test_a_path_is_only_a_name(server: SmallServer) -> None:
    """Nothing is read from a folder; what climbs is a strange name to the application."""
    for path in ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/x", "/etc/passwd"):
        status, _, found = ask(server, f"/{TOKEN}/{path}")
        assert status == 200 and "root:" not in json.dumps(found)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1"])
def test_another_hosts_name_is_refused(server: SmallServer, host: str) -> None:
    assert ask(server, f"/{TOKEN}/", Host=host)[0] == 403
    assert ask(server, f"/{TOKEN}/", Host=f"localhost:{server.port}")[0] == 200


def test_a_server_for_other_machines_takes_any_name() -> None:
    open_server = SmallServer({TOKEN: application}, host=ANY[0])
    open_server.start()
    assert ask(open_server, f"/{TOKEN}/", Host="lab.example:9")[0] == 200
    assert ask(open_server, "/", Host="lab.example:9")[0] == 404
    assert open_server.url(TOKEN).startswith("http://127.0.0.1:")
    open_server.close()


def test_other_sites_pages_send_nothing(server: SmallServer) -> None:
    path = f"/{TOKEN}/press"
    assert ask(server, path, {"key": "1"})[::2] == (200, {"path": "press", "body": {"key": "1"}})
    own = f"http://127.0.0.1:{server.port}"
    assert ask(server, path, {}, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    assert ask(server, path, {}, Origin="http://evil.example")[0] == 403
    assert ask(server, path, {}, Origin="null")[0] == 403
    assert ask(server, path, {}, Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(server, path, {}, Content_Type="text/plain")[0] == 415


def test_only_short_json_is_taken(server: SmallServer) -> None:
    path = f"/{TOKEN}/press"
    assert ask(server, path, raw=b"{")[0] == 400
    assert ask(server, path, raw=b"[" * 60_000)[0] == 400
    assert ask(server, path, raw=b"\xff")[0] == 400
    assert ask(server, path, raw=b" " * (MOST_BYTES + 1))[0] == 413
    assert ask(server, path, raw=b"", Content_Length="-1")[0] == 413
    assert ask(server, path, method="DELETE")[0] == 501


def test_every_answer_forbids_what_a_page_does_not_need(server: SmallServer) -> None:
    for path in (f"/{TOKEN}/", "/"):
        _, headers, _ = ask(server, path)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert "Python" not in headers["Server"]


def test_an_application_that_fails_says_why(server: SmallServer) -> None:
    status, _, found = ask(server, f"/{TOKEN}/fails")
    assert (status, found) == (500, {"error": "The disk is full. Make room."})


def test_half_a_request_and_nonsense_leave_the_server_standing(server: SmallServer) -> None:
    for sent in (b"\0\1\2\r\n\r\n", b"GET /" + b"a" * 70_000, b"POST / HTTP/1.1\r\nHost: x\r\n"):
        with socket.create_connection(("127.0.0.1", server.port)) as half:
            half.sendall(sent)
    assert ask(server, f"/{TOKEN}/")[0] == 200


def test_a_port_that_is_taken_is_said(server: SmallServer) -> None:
    with pytest.raises(PolyAssayError) as refused:
        SmallServer({}, port=server.port)
    assert "--port" in refused.value.hint


def test_a_page_that_goes_away_is_not_told_and_a_mistake_of_ours_is(
    server: SmallServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    told: list[threading.ExceptHookArgs] = []
    heard = threading.Event()

    def hear(args: threading.ExceptHookArgs) -> None:
        told.append(args)
        heard.set()

    monkeypatch.setattr(threading, "excepthook", hear)
    at_once = struct.pack("ii", 1, 0)  # closing resets the connection
    for sent in (b"", b"GET /", f"GET /{TOKEN}/x HTTP/1.1\r\nHost: ".encode()):
        gone = socket.create_connection(("127.0.0.1", server.port))
        gone.sendall(sent)
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        gone.close()
    with socket.create_connection(("127.0.0.1", server.port)) as other:
        host = f"localhost:{server.port}"
        other.sendall(f"GET /{TOKEN}/mistake HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert other.recv(1) == b""
    assert heard.wait(30)
    assert [args.exc_type for args in told] == [KeyError]
    assert "Traceback" not in capfd.readouterr().err
