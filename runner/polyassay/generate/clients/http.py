"""Requests to model servers: one connection pool a tool, and errors told apart."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from polyassay.errors import PolyAssayError
from polyassay.generate.replies import AskError
from polyassay.generate.retry import retry_after
from polyassay.generate.tools import Tool

if TYPE_CHECKING:
    import httpx

AGAIN = frozenset((408, 409, 425, 429))  # and all from 500 on
BUSY = frozenset((429, 503, 529))
HINTS = {
    400: "the server does not take the request as it is.",
    401: "is the key the right one? api_key_env names the variable that holds it.",
    403: "the account may not use this model, or not from here.",
    404: "is base_url right (it often ends in /v1), and does the server have the model?",
    429: "the account has no credit left, says the server.",
}
SPENT = re.compile(r"insufficient_quota|billing|credit balance", re.IGNORECASE)
REFUSES = re.compile(
    r"unsupported|not support|n't support|unrecognized|unknown|not permitted|not allowed"
    r"|extra inputs|deprecated",
    re.IGNORECASE,
)
SEVERAL = re.compile(r"must be|at most|only one|exceed|too large", re.IGNORECASE)  # said of n
# Parameters that a model may refuse and that an answer can do without.
OPTIONAL = ("temperature", "top_p", "stop", "stop_sequences", "seed", "n", "suffix", "max_tokens")


class Refused(Exception):
    """The model does not take this parameter."""

    def __init__(self, parameter: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter


class Connection:
    """Posts JSON and reads JSON or server-sent events; only its headers hold the key."""

    def __init__(self, tool: Tool, headers: Mapping[str, str]) -> None:
        try:
            import httpx
        except ImportError:
            raise PolyAssayError(
                "Asking a server needs httpx, which is not installed.",
                "pip install 'polyassay[generate]'",
            ) from None
        self._seconds = tool.seconds
        self._where = tool.base_url
        self._secrets = [value.rpartition(" ")[2] for value in headers.values()]
        self._client = httpx.AsyncClient(
            headers=dict(headers),
            timeout=httpx.Timeout(tool.seconds, connect=min(30.0, tool.seconds)),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        )

    async def post(self, url: str, body: Mapping[str, Any]) -> Any:
        """The response's JSON; for a stream the list of its events."""
        import httpx

        try:
            async with asyncio.timeout(self._seconds):
                async with self._client.stream("POST", url, json=body) as response:
                    if response.status_code != 200:
                        await response.aread()
                        raise self._error(response, body)
                    if body.get("stream"):
                        return await _events(response)
                    return _parsed(await response.aread())
        except TimeoutError:
            raise AskError(f"no answer within {self._seconds:g} s", retry=True) from None
        except httpx.HTTPError as error:
            what = type(error).__name__
            raise AskError(f"{self._where} cannot be reached ({what})", retry=True) from None

    def _error(self, response: "httpx.Response", body: Mapping[str, Any]) -> Exception:
        status, text = response.status_code, self._without_secrets(response.text)
        code, message, parameter = _told(text)
        if status in (400, 422):
            refused = _refused(parameter, message, body)
            if refused:
                return Refused(refused)
        if status == 429 and SPENT.search(f"{code} {message}"):
            return AskError(f"the server says 429: {message}", retry=False, hint=HINTS[429])
        return AskError(
            f"the server says {status}: {message}",
            retry=status in AGAIN or status >= 500,
            retry_after=retry_after(response.headers),
            busy=status in BUSY,
            hint=HINTS.get(status, ""),
        )

    def _without_secrets(self, text: str) -> str:
        """Some servers repeat a wrong key in their error."""
        for secret in self._secrets:
            if secret:
                text = text.replace(secret, "[key]")
        return text

    async def close(self) -> None:
        await self._client.aclose()


def _parsed(content: bytes) -> Any:
    try:
        value = json.loads(content)
    except ValueError:
        raise AskError("the server's answer is not JSON", retry=True) from None
    if not isinstance(value, dict):
        raise AskError("the server's answer is not an object", retry=True)
    if value.get("error") and not value.get("choices"):
        raise AskError(f"the server says: {_told(json.dumps(value))[1]}", retry=True)
    return value


async def _events(response: "httpx.Response") -> list[Any]:
    """The data of server-sent events, up to [DONE]."""
    events: list[Any] = []
    async for line in response.aiter_lines():
        if not line.startswith("data:"):
            continue
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            return events
        event = _parsed(data.encode())
        events.append(event)
        if event.get("type") == "message_stop":  # Anthropic's last event
            return events
    raise AskError("the stream broke off", retry=True)


def _told(text: str) -> tuple[str, str, str]:
    """Code, message and parameter of an error's body, in whatever shape it has."""
    try:
        value = json.loads(text)
    except ValueError:
        return "", " ".join(text.split())[:200] or "nothing", ""
    error = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(error, dict):
        return "", str(error)[:200], ""
    message = error.get("message") or error.get("detail") or error.get("type") or "no reason"
    code = f"{error.get('code', '')} {error.get('type', '')}"
    return code, " ".join(str(message).split())[:300], str(error.get("param") or "")


def _refused(parameter: str, message: str, body: Mapping[str, Any]) -> str:
    """The optional parameter that the model does not take; empty where it is something else."""
    if parameter in OPTIONAL and parameter in body:
        return parameter
    for name in OPTIONAL:
        said = SEVERAL if name == "n" else REFUSES
        named = re.search(rf"(?<!\w){name}(?!\w)", message)
        if name in body and named and (said.search(message) or REFUSES.search(message)):
            return name
    return ""
