"""A room as a web application: the page, the view, and the keys that are pressed.

Every view has a turn, a random name. A key counts only with the turn of the view that it was
pressed on: sent twice, or from a page that shows something older, it changes nothing and the page
gets the view as it is now. So no score is given twice, and none lands on an item that the grader
did not see.
"""

import secrets
import threading
from typing import Any

from polyassay.rubric.browser.page import shown, static, words_in
from polyassay.rubric.room.room import Room
from polyassay.web.messages import Request, Response, as_json, refusal

FILES = {
    "": ("page.html", "text/html"),
    "page.css": ("page.css", "text/css"),
    "draw.js": ("draw.js", "text/javascript"),
    "remote.js": ("remote.js", "text/javascript"),
}
LONGEST_COMMENT = 2000  # characters


class GradingApplication:
    """One grader's; requests come in threads, and are served one after the other."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._turn = _new_turn()

    def __call__(self, request: Request) -> Response:
        if request.method == "GET" and request.path in FILES:
            name, content_type = FILES[request.path]
            return Response(static(name).encode(), content_type)
        if (request.method, request.path) == ("GET", "state"):
            language = self._room.language
            about = {"words": words_in(language), "handbook": self._room.handbook()}
            with self._lock:
                self._room.desk.refresh()
                return as_json(self._state() | about | {"language": language})
        if (request.method, request.path) == ("POST", "press"):
            return self._press(request.body)
        return refusal(404, "There is nothing here.")

    def _press(self, body: Any) -> Response:
        if not isinstance(body, dict):
            return refusal(400, "A key is an object: key, turn, text.")
        key, turn, text = (body.get(name, "") for name in ("key", "turn", "text"))
        if not all(isinstance(value, str) for value in (key, turn, text)):
            return refusal(400, "key, turn and text are texts.")
        with self._lock:
            taken = turn == self._turn
            if taken:
                self._room.press(key[:20], text[:LONGEST_COMMENT])
                self._turn = _new_turn()
            else:
                self._room.desk.refresh()
            return as_json(self._state() | {"taken": taken})

    def _state(self) -> dict[str, Any]:
        return {"turn": self._turn, "view": shown(self._room)}


def _new_turn() -> str:
    return secrets.token_hex(8)
