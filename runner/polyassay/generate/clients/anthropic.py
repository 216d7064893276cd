"""`anthropic`: the Messages API."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.generate.clients.http import Connection
from polyassay.generate.clients.parameters import Parameters
from polyassay.generate.replies import AskError, Finish, Question, Reply, Tokens
from polyassay.generate.tools import Tool

VERSION = "2026-10-21"  # as the official SDK sends it; a test compares
FINISH = {
    "end_turn": Finish.COMPLETE,
    "stop_sequence": Finish.COMPLETE,
    "max_tokens": Finish.TRUNCATED,
    "model_context_window_exceeded": Finish.TRUNCATED,
    "refusal": Finish.REFUSED,
}


class MessagesClient:
    at_once = 1  # the API makes one answer a request

    def __init__(self, tool: Tool) -> None:
        key = tool.key()
        headers = {"anthropic-version": VERSION} | (
            {"authorization": f"Bearer {key}"} if key else {}
        )
        self._tool = tool
        self._parameters = Parameters()
        self._connection = Connection(tool, headers)

    async def ask(self, question: Question) -> Sequence[Reply]:
        async def send(body: dict[str, Any]) -> Any:
            return await self._connection.post(f"{self._tool.base_url}/v1/messages", body)

        response = await self._parameters.post(send, self.body(question))
        return [self._reply(joined(response) if isinstance(response, list) else response)]

    def body(self, question: Question) -> dict[str, Any]:
        """The request, as the official SDK would send it."""
        values, messages = self._tool.values, question.prompt.messages
        body: dict[str, Any] = {
            "model": self._tool.model,
            "max_tokens": values["max_tokens"],
            "messages": [
                {"role": m.role, "content": m.content} for m in messages if m.role != "system"
            ],
        }
        if system := "\n\n".join(m.content for m in messages if m.role == "system"):
            body["system"] = system
        for name in ("temperature", "top_p"):
            if name in values:
                body[name] = values[name]
        if stop := [*question.prompt.stop, *values.get("stop", [])]:
            body["stop_sequences"] = stop
        if values.get("stream"):
            body["stream"] = True
        return {**body, **values.get("extra", {})}

    def _reply(self, response: Mapping[str, Any]) -> Reply:
        content = response.get("content")
        if not isinstance(content, list):
            raise AskError("the server's answer holds no content", retry=True)
        text = "".join(str(b.get("text") or "") for b in content if b.get("type") == "text")
        reason = str(response.get("stop_reason") or "")
        finish = FINISH.get(reason, Finish.COMPLETE)
        if not text.strip() and finish is Finish.COMPLETE:
            finish = Finish.EMPTY
        seeded = ("seed",) if "seed" in self._tool.values else ()  # the API takes none
        return Reply(
            text,
            finish,
            finish_reason=reason,
            model=str(response.get("model") or ""),
            tokens=_tokens(response.get("usage")),
            raw=response,
            left_out=(*self._parameters.notes, *seeded),
        )

    async def close(self) -> None:
        await self._connection.close()


def _tokens(usage: object) -> Tokens:
    """Input that was read from or written to a cache is counted apart there; here it is input."""
    if not isinstance(usage, dict) or usage.get("input_tokens") is None:
        return Tokens()
    cached = usage.get("cache_read_input_tokens") or 0
    written = usage.get("cache_creation_input_tokens") or 0
    return Tokens(
        usage["input_tokens"] + cached + written, usage.get("output_tokens"), cached or None
    )


def joined(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The events of a stream as the one message that they are parts of."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        match event.get("type"):
            case "message_start":
                message = dict(event["message"]) | {"streamed": True}
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                block = blocks[event["index"]]
                block["text"] = block.get("text", "") + event["delta"].get("text", "")
            case "message_delta":
                message |= event["delta"]
                message["usage"] = {**message.get("usage", {}), **event.get("usage", {})}
            case "error":
                raise AskError("the stream ended with an error", retry=True)
    return message | {"content": [blocks[index] for index in sorted(blocks)]}
