"""What a test finds in the answer's place, whatever the worker says."""

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from polyassay_harness.judge.handles import Handle
from polyassay_harness.judge.link import Link, WorkerGone
from polyassay_harness.testing.suite_code import TestCode
from polyassay_harness.wire.reports import cell_report, load_report, test_report

OBJECT = ["h", 0, "Liar", "object", None]
STOP = {
    "classes": [["builtins", "StopIteration"], ["builtins", "BaseException"]],
    "args": [],
    "fields": [],
    "cause": None,
    "text": None,
    "told": "StopIteration",
}


def link_to(*replies: dict[str, Any], objects: bool = False, source: str = "") -> Link:
    waiting = list(replies)

    def exchange(payload: bytes) -> tuple[str, bytes]:
        return "reply", json.dumps({"changed": [], **waiting.pop(0)}).encode()

    return Link(exchange, objects=objects, source=source)


def test_an_answer_cannot_end_the_loops_of_a_test() -> None:
    entry: Any = link_to({"raised": STOP}).entry("entry")
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(map(entry, [1, 2]))


def test_a_test_that_is_about_it_gets_it() -> None:
    link = link_to({"raised": STOP}, source="try: entry()\nexcept StopIteration: pass")
    entry: Any = link.entry("entry")
    with pytest.raises(StopIteration):
        entry()


@pytest.mark.parametrize("objects", [False, True])
@pytest.mark.parametrize(
    "use",
    [
        lambda value: value == 3,
        lambda value: abs(value - 3.5) < 1e-9,
        lambda value: value < 3,
        lambda value: 3 in value,
        lambda value: isinstance(value, list),
    ],
)
def test_what_an_answer_returned_has_no_word_on_plain_data(
    use: Callable[[Any], bool], objects: bool
) -> None:
    yes = [{"value": True}] * 3
    entry: Any = link_to({"value": OBJECT}, *yes, objects=objects).entry("entry")
    value = entry.attribute if objects else entry()
    with contextlib.suppress(TypeError, WorkerGone):
        assert not use(value)


@pytest.mark.parametrize(
    "reply",
    [
        {"value": ["h", -1, "x", "object", None]},
        {"value": ["h", 0, "x", "entry of another sort", None]},
        {"value": ["p", 7]},
        {"borrowed": 7, "args": ["t", []], "kwargs": ["t", []]},
        {"value": 1, "changed": [[5, ["l", []]]]},
        {"raised": {**STOP, "classes": [["builtins", "int"]]}},
        {"raised": {"back": 3}},
    ],
)
def test_nonsense_is_the_end_of_the_worker(reply: dict[str, Any]) -> None:
    link = link_to(reply)
    entry: Any = link.entry("entry")
    with pytest.raises(WorkerGone):
        entry()
    assert link.gone


def test_an_assertion_that_an_answer_swallowed_still_counts() -> None:
    link = link_to({"borrowed": 0, "args": ["t", [1]], "kwargs": ["t", []]}, {"value": None})
    entry: Any = link.entry("entry")

    def check(value: int) -> None:
        assert value == 2

    entry(check)
    assert link.failed


def test_what_was_returned_is_one_value_to_both() -> None:
    sent = []
    replies: list[dict[str, Any]] = [
        {"value": ["m", 0, ["l", [1]]]},
        {"value": ["r", 0], "changed": [[0, ["l", [5]]]]},
    ]

    def exchange(payload: bytes) -> tuple[str, bytes]:
        sent.append(json.loads(payload))
        return "reply", json.dumps({"changed": [], **replies.pop(0)}).encode()

    entry: Any = Link(exchange, objects=False).entry("entry")
    first = entry()
    first.append(2)
    second = entry()
    assert sent[1]["changed"] == [[0, ["l", [1, 2]]]]
    assert second is first
    assert first == [5]


@pytest.mark.parametrize(("base", "known"), [("Exception", False), ("ValueError", True)])
def test_an_exception_of_the_answer_cannot_catch_failures(base: str, known: bool) -> None:
    names = ["m", 0, ["l", [["m", 1, ["l", ["builtins", base]]]]]]
    link = link_to({"value": names}, source="try: entry()\nexcept Own: pass")
    assert ("Own" in link.definitions({"entry": None})) is known


@pytest.mark.parametrize(
    ("message", "ending"),
    [
        ({"ending": "unbuilt", "reason": "x", "xml": "<testsuite/>"}, "unbuilt"),
        ({"ending": "passed"}, "crashed"),
        ({"ending": ""}, "crashed"),
        ({"ending": ["unbuilt"]}, "crashed"),
        *(({"ending": forged}, "crashed") for forged in ("not_run", "harness_error", "skipped")),
        ({"ending": "unbuilt", "reason": ["x"]}, "unbuilt"),
        ({"functions": [], "threads": False, "xml": "<testsuite/>"}, None),
    ],
)
def test_a_program_cannot_say_more_than_how_it_loaded(
    message: dict[str, Any], ending: str | None
) -> None:
    found = load_report(message)
    assert found.get("ending") == ending
    assert "xml" not in found


def test_only_a_later_test_may_find_no_time_to_load() -> None:
    assert load_report({"ending": "not_run"}, again=True)["ending"] == "not_run"


def test_a_test_or_cell_tells_texts_and_nothing_else() -> None:
    deep: Any = []
    for _ in range(5000):  # more than Python could write out
        deep = [deep]
    told = test_report({"status": "failed", "message": deep, "type": {"x": deep}})
    assert told["message"] == told["type"] == ""
    shown = [
        {"kind": "result", "text": deep, "at": 0},
        {"text": "x", "at": "0"},
        deep,
        {"at": True},
    ]
    assert cell_report({"shown": shown, "error": deep, "start": 9, "status": "passed"}) == {
        "shown": [{"kind": "result", "text": "", "at": 0}],
        "error": "an error without a name",
        "message": "",
        "memory": False,
    }


@pytest.mark.parametrize(
    ("lines", "left_out"),
    [
        ("e.go()\nassert e.x", False),
        ("assert e.x == e.y", False),
        ("e.go()", True),
        ("e.go(1, key=2)\ne.other.thing()", True),
        ("e['x'] = 1", True),
        ("e.x += 1", True),
        ("del e.x", True),
        ("e.go(data)", True),
        ("int('x')", True),
        ("x = 1 / 0", True),
        ("boom()", True),
        ("raise ValueError\nassert e.x", True),
        ("1 / 0\nassert False, 'not reached'", True),
        # Each of these could find something wrong, or tell the rest of the test.
        ("check(e.go())", False),
        ("case.assertEqual(e.go(), 5)", False),
        ("e.each(check)", False),
        ("e.each(lambda x: 1 / x)", False),
        ("e.each(*checks)", False),
        ("e.go(key=check)", False),
        ("ok = e.go()", False),
        ("ok, x = e.go()", False),
        ("ok += e.go()", False),
        ("found['x'] = e.go()", False),
        ("(ok := e.go())", False),
        ("found.append(e.go())", False),
        ("exec(e.go())", False),
        ("if e.go():\n        raise ValueError", False),
        ("for x in e:\n        e.go()", False),
    ],
)
def test_what_a_block_of_the_answers_may_swallow(lines: str, left_out: bool) -> None:
    block = "".join(f"    {line}\n" for line in lines.split("\n"))
    source = f"with entry() as e:\n{block}def boom():\n    raise ValueError\ndata = [1]\n"
    found = TestCode(source).may_be_left_out(2, lambda name: name == "e")
    assert found is left_out


def test_an_error_outside_of_any_block_is_not_swallowed() -> None:
    assert not TestCode("e.go()").may_be_left_out(1, lambda name: True)


def test_a_handle_has_no_names_that_an_answer_could_want() -> None:
    names = [name for name in dir(Handle) if not name.startswith("_polyassay")]
    assert all(name.startswith("__") for name in names)
