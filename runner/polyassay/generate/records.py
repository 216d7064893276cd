"""An answer's line: what a run reads, and the origin that says where it comes from."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from polyassay.generate.fingerprint import fingerprint, shape_of
from polyassay.generate.replies import Finish, Question, Reply, cost_of
from polyassay.generate.tools import Tool
from polyassay.model import AnswerForm
from polyassay.prompts.templates import cut_at


def line_of(
    tool: Tool,
    question: Question,
    sample: int,
    reply: Reply,
    attempts: int,
    seconds: float,
    at: str,
) -> dict[str, Any]:
    prompt, shape = question.prompt, shape_of(tool, question, sample)
    cost = reply.cost if reply.cost is not None else cost_of(reply.tokens, tool.price)
    settings = dict(prompt.settings)
    line: dict[str, Any] = {
        "suite": question.task.suite,
        "task": question.task.id,
        "tool": tool.name,
        "sample": sample,
        "prompt_language": question.prompt_language,
        "answer": answer_of(tool, question, reply),
    }
    if prompt.form is not AnswerForm.ANSWER:
        line["form"] = str(prompt.form)
    if reply.files is not None:
        line["files"] = dict(reply.files)
    line["origin"] = {
        "fingerprint": fingerprint(shape),
        "shape": shape,
        "via": tool.via,
        "model": {"asked": tool.model, "answered": reply.model},
        "settings": settings,
        "template_sha256": settings["template_sha256"],
        "prompt_sha256": prompt.hash,
        "finish": str(reply.finish),
        "finish_reason": reply.finish_reason,
        "tokens": dataclasses.asdict(reply.tokens),
        "cost": cost,
        "currency": tool.price.currency if tool.price else "",
        "price": dataclasses.asdict(tool.price) if tool.price else None,
        "seconds": round(seconds, 4),
        "attempts": attempts,
        "at": at,
        "version": reply.version,
        "left_out": list(reply.left_out),
        **reply.notes,
        "raw": reply.raw,
    }
    if question.first is not None:
        line["origin"] |= with_first(line["origin"], question.first)
    return line


def with_first(origin: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """What a second try cost in all: unknown where the cost of either try is."""
    tokens = first.get("tokens") or {}
    return {
        "tries": 2,
        "tokens": {name: _sum(n, tokens.get(name)) for name, n in origin["tokens"].items()},
        "cost": _sum(origin["cost"], first.get("cost")),
        "first": {"fingerprint": first.get("fingerprint")},
    }


def _sum(second: float | None, first: float | None) -> float | None:
    return None if second is None or first is None else second + first


def answer_of(tool: Tool, question: Question, reply: Reply) -> str:
    """The text, cut where a stop sequence begins, with the code that it continues."""
    prompt = question.prompt
    text = cut_at(reply.text, [*prompt.stop, *tool.values.get("stop", [])])
    text = cut_at(text, prompt.cut)
    if reply.finish in (Finish.REFUSED, Finish.FILTERED) or not text.strip():
        return text
    return prompt.stem.before + text + prompt.stem.after
