"""The grading page's server side: every key counts once, on the view that it was pressed on."""

import itertools
import json
from typing import Any

import pytest

from polyassay.model import Language
from polyassay.rubric.browser.application import FILES, LONGEST_COMMENT, GradingApplication
from polyassay.rubric.browser.page import pieces, words_in
from polyassay.web.messages import Request, Response
from unit.test_grading import Log
from unit.test_grading_room import preferring, scoring


def told(response: Response) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(response.body)
    return value


def state(application: GradingApplication) -> dict[str, Any]:
    return told(application(Request("GET", "state")))


def press(application: GradingApplication, **body: Any) -> Response:
    return application(Request("POST", "press", body))


@pytest.mark.parametrize("name", FILES)
def test_the_pages_files_are_served(name: str) -> None:
    response = GradingApplication(scoring(Log()))(Request("GET", name))
    assert response.status == 200
    assert response.body
    assert response.content_type == FILES[name][1]


def test_a_key_counts_once_and_only_on_its_own_view() -> None:
    log = Log()
    application = GradingApplication(scoring(log, reference="x = 1\n"))
    first = state(application)
    assert first["language"] == "en"
    assert first["view"]["progress"] == [0, 4]
    assert first["words"] == words_in("en")
    pressed = told(press(application, key="1", turn=first["turn"]))
    assert pressed["taken"]
    assert len(log.events) == 1
    again = told(press(application, key="1", turn=first["turn"]))  # sent twice
    assert not again["taken"]
    assert again["turn"] == pressed["turn"]
    assert len(log.events) == 1


def test_comments_are_cut_and_nonsense_is_refused() -> None:
    log = Log()
    application = GradingApplication(scoring(log))
    turn = state(application)["turn"]
    assert told(press(application, key="c", turn=turn, text="x" * 5000))["taken"]
    assert len(log.events[0].text) == LONGEST_COMMENT
    assert application(Request("POST", "press", ["1"])).status == 400
    assert press(application, key=1, turn="x").status == 400
    assert application(Request("GET", "press")).status == 404
    assert application(Request("POST", "state", {})).status == 404
    assert application(Request("GET", "../page.py")).status == 404


def test_two_answers_come_as_coloured_pieces_and_never_as_html() -> None:
    view = state(GradingApplication(preferring(Log())))["view"]
    assert len(view["answers"]) == 2
    assert all("pieces" in answer and "code" not in answer for answer in view["answers"])


def test_code_is_cut_into_colours_and_joined_again() -> None:
    code = '@wraps\ndef f(x):  # why\n    return "<b>" * 3\n'
    found = pieces(code, Language.PYTHON)
    assert "".join(text for _, text in found).rstrip("\n") == code.rstrip("\n")
    assert {"k", "c", "s", "n", "f", "d"} <= {colour for colour, _ in found}
    assert all(a[0] != b[0] for a, b in itertools.pairwise(found))
