"""Grading sessions: how one begins or goes on, and how far each has got."""

import dataclasses
import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.agreement import disagreements
from polyassay.rubric.plan import GradingPlan, make_items
from polyassay.rubric.preference import choices
from polyassay.rubric.preference.plan import make_pairs
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Remarks, Sheet, sheets
from polyassay.rubric.stored import all_scores
from polyassay.store import Store
from polyassay.store.graders import Graders
from polyassay.store.preferences import PreferenceEvent, Preferences
from polyassay.store.scores import (
    CALIBRATION,
    PREFERENCES,
    SCORES,
    Event,
    GradingSession,
    Item,
    Scores,
)


def session_of(
    store: Scores,
    suite: Suite,
    codes: Mapping[CandidateKey, str],
    rubric: Rubric,
    grader: str,
    plan: GradingPlan,
    kind: str = SCORES,
) -> GradingSession:
    """The session that this grader has with these answers, or a new one.

    One that has begun keeps the order in which it began, whatever the plan says now.
    """
    listed = json.dumps([[*dataclasses.astuple(key), codes[key]] for key in sorted(codes)])
    pool = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()
    begun = store.sessions(grader=grader, rubric=rubric.name, pool=pool, kind=kind)
    if begun:
        return begun[-1]
    _refuse_other_answers(store.shown_code(suite.name), codes)
    choose = _pairs_left if kind == PREFERENCES else _answers_left
    plan_for = choose(store, suite, codes, rubric, grader)

    def make(taken: Mapping[Any, int]) -> list[Item]:
        items = plan_for(plan, taken)
        if not items:
            raise PolyAssayError(
                f"Nothing is left for {grader}: these answers have all their graders.",
                hint="`polyassay grade status` shows who did what; a larger --overlap gives more.",
            )
        return items

    if plan.seed is None:
        plan = dataclasses.replace(plan, seed=secrets.randbits(53))
    settings = dataclasses.asdict(plan)
    return store.start_session(suite, grader, rubric.name, pool, settings, make, kind)


Chooser = Callable[[GradingPlan, Mapping[Any, int]], list[Item]]


def _answers_left(
    store: Scores, suite: Suite, codes: Mapping[CandidateKey, str], rubric: Rubric, grader: str
) -> Chooser:
    """Answers that this grader has not scored, and the calibration of their suite."""
    known = sheets(store.events(grader=grader, rubric=rubric.name, suite=suite.name))
    graded = {
        key for (key, _), sheet in known.items() if sheet.scores.keys() >= rubric.scales.keys()
    }
    left = {key: code for key, code in codes.items() if key not in graded}
    items = Graders(store.opened).calibration(rubric.name, suite.name)
    calibration = {item.key: item.code for item in items}
    rounds = [showing + 1 for key, showing in known if key.tool == CALIBRATION]
    first = max(rounds, default=0)
    return lambda plan, taken: make_items(left, plan, grader, taken, calibration, first)


def _pairs_left(
    store: Scores, suite: Suite, codes: Mapping[CandidateKey, str], rubric: Rubric, grader: str
) -> Chooser:
    """Pairs of answers between which this grader has not chosen."""
    wanted = {"grader": grader, "rubric": rubric.name, "suite": suite.name}
    chosen = choices.sheets(Preferences(store.opened).events(**wanted))
    done = {pair for (pair, _), sheet in chosen.items() if sheet.choices}
    return lambda plan, taken: make_pairs(codes, plan, grader, taken, done)


def keeps_other_order(session: GradingSession, plan: GradingPlan) -> bool:
    """The session began under another plan than the one that is asked for now."""
    begun = GradingPlan(**session.settings)
    return begun != (plan if plan.seed is not None else dataclasses.replace(plan, seed=begun.seed))


def mask_secret(session: GradingSession) -> str:
    """What draws a session's masks: nothing that its grader sees."""
    return f"{session.pool}/{session.id}"


def _refuse_other_answers(
    shown: Mapping[CandidateKey, str], codes: Mapping[CandidateKey, str]
) -> None:
    """Scores belong to a tool's answer by its name, so the answer may not change under it."""
    for key, code in codes.items():
        if shown.get(key, code) != code:
            raise PolyAssayError(
                f"An answer to task {key.task} differs from the one that was graded before.",
                hint="Name the tool's new answers differently: -c NAME=PATH.",
            )


def session_status(opened: Store, store: Scores, session: GradingSession) -> dict[str, Any]:
    """One line of the table; tools are not named, because graders look at it too."""
    items = store.items(session.id)
    screens = [tuple(group) for _, group in groupby(items, key=lambda item: item.screen)]
    if session.kind == PREFERENCES:
        return _preference_status(opened, session, screens)
    events = store.events(grader=session.grader, rubric=session.rubric)
    mine = sheets(events)
    text = store.rubric_text(session.rubric)
    assert text is not None
    dimensions = rubrics.parse(text, session.rubric).scales
    given = [[mine.get((item.key, item.showing), Sheet()) for item in one] for one in screens]
    graded = [[dimensions.keys() <= sheet.scores.keys() for sheet in one] for one in given]
    return {
        **_about(opened, session, events),
        "what": "two at a time" if session.settings.get("side_by_side") else "one by one",
        "items": len(screens),
        "done": sum(map(all, graded)),
        "skipped": sum(any(sheet.skipped for sheet in one) for one in given),
        "flagged": sum(any(sheet.flagged for sheet in one) for one in given),
        "scores": sum(len(sheet.scores) for one in given for sheet in one),
        "flags": [
            _flag(item.key.task, sheet)
            for screen, one in zip(screens, given, strict=True)
            for item, sheet in zip(screen, one, strict=True)
            if sheet.flagged
        ],
    }


Presses = Sequence[Event] | Sequence[PreferenceEvent]


def _about(opened: Store, session: GradingSession, events: Presses) -> dict[str, Any]:
    at = [event.at for event in events if event.session == session.id]
    return {
        "session": session.id,
        "grader": session.grader,
        "suite": opened.suite(session.suite).name,
        "rubric": session.rubric,
        "last": max(at, default="–")[:16].replace("T", " "),
    }


def _flag(task: str, sheet: Remarks) -> dict[str, Any]:
    return {"task": task, "comments": [text for text in sheet.comments.values() if text]}


def _preference_status(
    opened: Store, session: GradingSession, screens: Sequence[tuple[Item, ...]]
) -> dict[str, Any]:
    events = Preferences(opened).events(grader=session.grader, rubric=session.rubric)
    mine = choices.sheets(events)
    places = [(choices.pair_of(a.key, b.key), a.showing) for a, b in screens]
    seen = [(place, mine[place]) for place in places if place in mine]
    return {
        **_about(opened, session, events),
        "what": "which is better",
        "items": len(screens),
        "done": sum("" in sheet.choices for _, sheet in seen),
        "skipped": sum(sheet.skipped for _, sheet in seen),
        "flagged": sum(sheet.flagged for _, sheet in seen),
        "scores": sum(len(sheet.choices) for _, sheet in seen),
        "flags": [_flag(pair[0].task, sheet) for (pair, _), sheet in seen if sheet.flagged],
    }


def imported_status(store: Scores) -> list[dict[str, Any]]:
    """Scores that came in files, by grader, suite and rubric."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for event in store.events(kind="score"):
        if event.session is None:
            found.setdefault((event.grader, event.key.suite, event.rubric), []).append(event.at)
    return [
        {
            "session": None,
            "grader": grader,
            "suite": suite,
            "rubric": rubric,
            "what": "imported",
            "items": "–",
            "done": "–",
            "skipped": 0,
            "flagged": 0,
            "scores": len(at),
            "last": max(at)[:16].replace("T", " "),
            "flags": [],
        }
        for (grader, suite, rubric), at in sorted(found.items())
    ]


def decided_status(store: Scores) -> list[dict[str, Any]]:
    """Disagreements and their decisions, by suite, rubric and the one who decided."""
    found: list[dict[str, Any]] = []
    for name in store.rubrics():
        text = store.rubric_text(name)
        assert text is not None
        rubric = rubrics.parse(text, name)
        given = all_scores(store, rubric, None)
        open_ones = disagreements(given, rubric.dimensions)
        wide = Counter(one.key.suite for one in open_ones)
        made = Counter((score.key.suite, score.grader) for score in given if score.decision)
        waiting = [(suite, "–") for suite in wide if not any(suite == of for of, _ in made)]
        for suite, grader in sorted([*made, *waiting]):
            done = made[suite, grader]
            found.append(
                {
                    "session": None,
                    "grader": grader,
                    "suite": suite,
                    "rubric": name,
                    "what": "disagreements",
                    "items": wide[suite],
                    "done": done,
                    "skipped": 0,
                    "flagged": 0,
                    "scores": done,
                    "last": "–",
                    "flags": [],
                }
            )
    return found
