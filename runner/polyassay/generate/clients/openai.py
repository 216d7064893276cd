"""`openai` and `completions`: any server that speaks like OpenAI's (vLLM, llama.cpp, Ollama)."""

from collections.abc import Mapping, Sequence
from typing import Any

from polyassay.generate.clients.http import Connection
from polyassay.generate.clients.parameters import Parameters
from polyassay.generate.replies import AskError, Finish, Question, Reply, Tokens
from polyassay.generate.tools import Tool

AT_ONCE = 16  # samples a request, where the server makes several of one prompt
FINISH = {
    "stop": Finish.COMPLETE,
    "length": Finish.TRUNCATED,
    "content_filter": Finish.FILTERED,
    "refusal": Finish.REFUSED,
}


class _Client:
    path = ""

    def __init__(self, tool: Tool) -> None:
        key = tool.key()
        self._tool = tool
        self._parameters = Parameters()
        self._connection = Connection(tool, {"authorization": f"Bearer {key}"} if key else {})
        # A seed belongs to one sample, so samples with seeds are asked for one by one.
        together = tool.values.get("native_n", True) and "seed" not in tool.values
        self._most = AT_ONCE if together else 1

    @property
    def at_once(self) -> int:
        return 1 if "n" in self._parameters.left_out else self._most

    @at_once.setter
    def at_once(self, most: int) -> None:
        self._most = most

    async def ask(self, question: Question) -> Sequence[Reply]:
        async def send(body: dict[str, Any]) -> Any:
            return await self._connection.post(f"{self._tool.base_url}{self.path}", body)

        response = await self._parameters.post(send, self.body(question))
        if isinstance(response, list):
            response = joined(response)
        return self._replies(response, len(question.samples))

    def body(self, question: Question) -> dict[str, Any]:
        """The request, as the official SDK would send it."""
        values = self._tool.values
        body: dict[str, Any] = {"model": self._tool.model, **self._asked(question)}
        for name in ("temperature", "top_p", "max_tokens"):
            if name in values:
                body[name] = values[name]
        if "seed" in values:
            body["seed"] = values["seed"] + question.samples[0]
        if stop := [*question.prompt.stop, *values.get("stop", [])]:
            body["stop"] = stop
        if len(question.samples) > 1:
            body["n"] = len(question.samples)
        if values.get("stream"):
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return {**body, **values.get("extra", {})}

    def _asked(self, question: Question) -> dict[str, Any]:
        raise NotImplementedError

    def _replies(self, response: Mapping[str, Any], wanted: int) -> list[Reply]:
        choices = response.get("choices")
        if not isinstance(choices, list) or not choices:
            raise AskError("the server's answer holds no choice", retry=True)
        choices = choices[:wanted]
        tokens = _tokens(response.get("usage")).shared(len(choices))
        if len(choices) < wanted:
            self._most = 1  # it makes no more than one, and does not say so
        return [self._reply(choice, response, tokens, len(choices)) for choice in choices]

    def _reply(
        self, choice: Mapping[str, Any], response: Mapping[str, Any], tokens: Tokens, of: int
    ) -> Reply:
        text, refusal = self._said(choice)
        reason = str(choice.get("finish_reason") or "")
        finish = FINISH.get(reason, Finish.COMPLETE)
        if refusal:
            text, finish = text or refusal, Finish.REFUSED
        elif not text.strip() and finish is Finish.COMPLETE:
            finish = Finish.EMPTY
        raw = {**response, "choices": [choice]} if of > 1 else response
        return Reply(
            text,
            finish,
            finish_reason=reason,
            model=str(response.get("model") or ""),
            tokens=tokens,
            raw=raw,
            left_out=self._parameters.notes,
            notes={"samples_of_request": of} if of > 1 else {},
        )

    def _said(self, choice: Mapping[str, Any]) -> tuple[str, str]:
        raise NotImplementedError

    async def close(self) -> None:
        await self._connection.close()


class ChatClient(_Client):
    path = "/chat/completions"

    def _asked(self, question: Question) -> dict[str, Any]:
        return {
            "messages": [{"role": m.role, "content": m.content} for m in question.prompt.messages]
        }

    def _said(self, choice: Mapping[str, Any]) -> tuple[str, str]:
        message = choice.get("message") or {}
        return str(message.get("content") or ""), str(message.get("refusal") or "")


class CompletionClient(_Client):
    path = "/completions"

    def _asked(self, question: Question) -> dict[str, Any]:
        body: dict[str, Any] = {"prompt": question.prompt.text}
        if self._tool.values.get("suffix") and question.prompt.suffix:
            body["suffix"] = question.prompt.suffix
        return body

    def _said(self, choice: Mapping[str, Any]) -> tuple[str, str]:
        return str(choice.get("text") or ""), ""


def _tokens(usage: object) -> Tokens:
    if not isinstance(usage, dict):
        return Tokens()
    prompt = usage.get("prompt_tokens_details") or {}
    completion = usage.get("completion_tokens_details") or {}
    return Tokens(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        prompt.get("cached_tokens"),
        completion.get("reasoning_tokens"),
    )


def joined(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The events of a stream as the one response that they are parts of."""
    response: dict[str, Any] = {"streamed": True}
    choices: dict[int, dict[str, Any]] = {}
    for event in events:
        response |= {k: v for k, v in event.items() if k not in ("choices", "usage") and v}
        if event.get("usage"):
            response["usage"] = event["usage"]
        for part in event.get("choices") or []:
            choice = choices.setdefault(part.get("index", 0), {"index": part.get("index", 0)})
            if part.get("finish_reason"):
                choice["finish_reason"] = part["finish_reason"]
            if "text" in part:
                choice["text"] = choice.get("text", "") + (part["text"] or "")
            message = choice.setdefault("message", {})
            for name in ("content", "refusal"):
                if (part.get("delta") or {}).get(name):
                    message[name] = message.get(name, "") + part["delta"][name]
    if any("finish_reason" not in choice for choice in choices.values()):
        raise AskError("the stream broke off", retry=True)
    return response | {"choices": [choices[index] for index in sorted(choices)]}
