"""One HTML file for one grader: the page, the items, the rubric, and nothing that names a tool."""

import base64
import hashlib
import json
from typing import Any

from polyassay.rubric.blind import printable
from polyassay.rubric.browser.page import pieces, static, words_in
from polyassay.rubric.room.desk import Desk
from polyassay.rubric.room.room import Room
from polyassay.rubric.room.view import declared, difference
from polyassay.rubric.room.words import say

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>polyassay grade</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main id="room" aria-busy="true"></main>
<p id="notice" role="status" aria-live="polite"></p>
<script type="application/json" id="pack">{pack}</script>
<script>{script}</script>
</body>
</html>
"""


def packed(room: Room, session: str) -> str:
    """The file. References are in it only where they may be seen before scoring."""
    style = static("page.css")
    script = static("draw.js") + static("local.js").replace('"use strict";\n', "")
    policy = (
        f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src '{_digest(script)}'; style-src '{_digest(style)}'"
    )
    content = json.dumps(_content(room, session)).replace("<", "\\u003c")
    return PAGE.format(
        language=room.language, policy=policy, style=style, script=script, pack=content
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _content(room: Room, session: str) -> dict[str, Any]:
    desk, language = room.desk, room.language
    return {
        "format": "polyassay-pack",
        "version": 1,
        "id": session,
        "kind": desk.kind,
        "language": language,
        "words": words_in(language),
        "handbook": room.handbook(),
        "rule": say(desk.rubric.rule, language),
        "fields": _fields(desk, language),
        "screens": [_screen(room, number) for number in range(len(desk.screens))],
    }


def _fields(desk: Desk[Any], language: str) -> list[dict[str, Any]]:
    """What is asked about each answer, or about both."""
    return [
        {
            "dimension": field.dimension,
            "name": say(field.name, language),
            "options": [
                {"key": o.key, "label": say(o.label, language), "text": say(o.text, language)}
                for o in field.options
            ],
        }
        for field in desk.asked
    ]


def _screen(room: Room, number: int) -> dict[str, Any]:
    desk = room.desk
    items = desk.screens[number]
    task = desk.task_of(number)
    codes = [room.code(item.key) for item in items]
    known = desk.known_of(number)
    return {
        "prompt": printable(desk.prompt_of(number).strip()),
        "signature": printable(declared(task)),
        "answers": [pieces(code, task.language) for code in codes],
        "difference": difference(codes[0], codes[1]) if len(codes) > 1 else [],
        "reference": pieces(printable(task.reference), task.language)
        if room.open_reference and task.reference
        else [],
        "known": room.known_text(known) if known else "",
    }
