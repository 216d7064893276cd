"""The official SDKs as referees: our requests are theirs."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from fault_proxy import Fault, FaultProxy
from made import make_task
from polyassay.generate.clients import client_for
from polyassay.generate.replies import Finish, Question, Reply
from polyassay.generate.tools import tool_from
from polyassay.prompts import render, settings_from

KEY = "sk-tests-0123456789abcdef"
CHAT = {
    "id": "x",
    "object": "chat.completion",
    "created": 0,
    "model": "m-2026",
    "choices": [
        {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}
        for i in range(2)
    ],
    "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 6,
        "total_tokens": 16,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    },
}
MESSAGE = {
    "id": "x",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 5},
}
TASK = make_task(
    "t", entry="t", signature="def t(x)", suffix="\n\treturn y", context="def t(x):\n\t"
)


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultProxy]:
    monkeypatch.setenv("TESTS_KEY", KEY)
    proxy = FaultProxy()
    yield proxy
    proxy.close()


def ask(proxy: FaultProxy, response: Any, samples: int, **values: Any) -> list[Reply]:
    body = response if isinstance(response, bytes) else json.dumps(response).encode()
    proxy.plan = lambda _number, _body: Fault(200, body=body)
    url = proxy.url if values["via"] != "anthropic" else proxy.url.removesuffix("/v1")
    given = {"name": "x", "model": "m", "base_url": url, "api_key_env": "TESTS_KEY"}
    tool = tool_from(given | values, "test")
    prompt = render(TASK, settings_from({"template": tool.template, "system": "Be brief."}))

    async def go() -> list[Reply]:
        client = client_for(tool)
        try:
            return list(await client.ask(Question(TASK, prompt, "en", tuple(range(samples)))))
        finally:
            await client.close()

    return asyncio.run(go())


def messages(proxy: FaultProxy) -> Any:
    return proxy.log[0].body["messages"]


def same(proxy: FaultProxy, *headers: str) -> None:
    ours, theirs = proxy.log
    assert ours.path == theirs.path
    assert ours.body == theirs.body
    for name in headers:
        assert ours.headers[name] == theirs.headers[name]


def test_messages_as_the_sdk_sends_them(proxy: FaultProxy) -> None:
    replies = ask(proxy, MESSAGE, 1, via="anthropic", max_tokens=64, temperature=0.2, stop=["END"])
    url = proxy.url.removesuffix("/v1")
    anthropic.Anthropic(base_url=url, api_key=KEY).messages.create(
        model="m",
        max_tokens=64,
        system="Be brief.",
        messages=messages(proxy),
        stop_sequences=["END"],
        extra_body={"temperature": 0.2},  # newer models take none, and so does the newer SDK
    )
    same(proxy, "authorization", "anthropic-version", "content-type")
    assert (replies[0].tokens.input, replies[0].tokens.cached) == (8, 5)


@pytest.mark.parametrize(
    ("via", "change", "finish"),
    [
        ("openai", {"finish_reason": "length"}, Finish.TRUNCATED),
        ("openai", {"finish_reason": "content_filter"}, Finish.FILTERED),
        ("openai", {"message": {"content": None, "refusal": "No."}}, Finish.REFUSED),
        ("openai", {"message": {"content": " \n"}}, Finish.EMPTY),
        ("anthropic", {"stop_reason": "max_tokens"}, Finish.TRUNCATED),
        ("anthropic", {"stop_reason": "refusal"}, Finish.REFUSED),
        ("anthropic", {"content": []}, Finish.EMPTY),
    ],
)
def test_classes_of_answers(
    via: str, change: dict[str, Any], finish: Finish, proxy: FaultProxy
) -> None:
    if via == "openai":
        response: Any = {**CHAT, "choices": [{**CHAT["choices"][0], **change}]}  # type: ignore[index]
    else:
        response = {**MESSAGE, **change}
    (reply,) = ask(proxy, response, 1, via=via, max_tokens=5)
    assert reply.finish is finish


def test_a_stream_of_messages(proxy: FaultProxy) -> None:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**MESSAGE, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 7},
        },
        {"type": "message_stop"},
    ]
    body = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()
    (reply,) = ask(proxy, body, 1, via="anthropic", max_tokens=5, stream=True)
    assert (reply.text, reply.tokens.output, reply.finish) == ("ab", 7, Finish.COMPLETE)
