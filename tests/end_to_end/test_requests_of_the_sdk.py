"""Requests to model servers, as the vendor's own client sends them."""

import openai

from end_to_end.test_generate_requests import CHAT, KEY, ask, messages, proxy, same  # noqa: F401
from fault_proxy import FaultProxy
from polyassay.generate.replies import Finish

TEXT = {
    "id": "x",
    "object": "text_completion",
    "created": 0,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "length", "text": "ok", "logprobs": None}],
}


def test_chat_as_the_sdk_sends_it(proxy: FaultProxy) -> None:
    replies = ask(
        proxy, CHAT, 2, via="openai", temperature=0.5, top_p=0.9, max_tokens=9, stop=["###"]
    )
    openai.OpenAI(base_url=proxy.url, api_key=KEY).chat.completions.create(
        model="m",
        messages=messages(proxy),
        temperature=0.5,
        top_p=0.9,
        max_tokens=9,
        stop=["###"],
        n=2,
    )
    same(proxy, "authorization", "content-type")
    assert [m["role"] for m in messages(proxy)] == ["system", "user"]
    assert [reply.text for reply in replies] == ["ok", "ok"]
    assert replies[0].model == "m-2026"
    tokens = replies[0].tokens  # a half each
    assert (tokens.input, tokens.output, tokens.cached, tokens.reasoning) == (5, 3, 2, 1)


def test_a_seed_as_the_sdk_sends_it(proxy: FaultProxy) -> None:
    ask(proxy, CHAT, 1, via="openai", seed=7)
    client = openai.OpenAI(base_url=proxy.url, api_key=KEY)
    client.chat.completions.create(model="m", messages=messages(proxy), seed=7)
    same(proxy)


def test_completions_as_the_sdk_sends_them(proxy: FaultProxy) -> None:
    replies = ask(proxy, TEXT, 1, via="completions", suffix=True, max_tokens=200)
    openai.OpenAI(base_url=proxy.url, api_key=KEY).completions.create(
        model="m", prompt=proxy.log[0].body["prompt"], suffix="\n    return y", max_tokens=200
    )
    same(proxy, "authorization")
    assert replies[0].finish is Finish.TRUNCATED
    assert replies[0].tokens.input is None  # unknown, not 0
