"""Grading sessions: how one begins or goes on, and how far each has got."""

import dataclasses
import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from polyassay.errors import PolyAssayError
from polyassay.model import CandidateKey, Suite
from polyassay.rubric import rubrics
from polyassay.rubric.agreement import disagreements
from polyassay.rubric.plan import GradingPlan, make_items
from polyassay.rubric.preference import choices
from polyassay.rubric.preference.plan import make_pairs
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import sheets
from polyassay.rubric.stored import all_scores
from polyassay.store import Store
from polyassay.store.graders import Graders
from polyassay.store.preferences import Preferences
from polyassay.store.scores import CALIBRATION, PREFERENCES, SCORES, GradingSession, Item, Scores


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
    if session.kind == PREFERENCES:
        return _preference_status(opened, store, session)
    events = store.events(grader=session.grader, rubric=session.rubric)
    mine = sheets(events)
    text = store.rubric_text(session.rubric)
    assert text is not None
    dimensions = rubrics.parse(text, session.rubric).scales
    given = [(item, mine.get((item.key, item.showing))) for item in store.items(session.id)]
    seen = [(item, sheet) for item, sheet in given if sheet is not None]
    at = [event.at for event in events if event.session == session.id]
    return {
        **_about(opened, session),
        "items": len(given),
        "done": sum(dimensions.keys() <= sheet.scores.keys() for _, sheet in seen),
        "skipped": sum(sheet.skipped for _, sheet in seen),
        "flagged": sum(sheet.flagged for _, sheet in seen),
        "scores": sum(len(sheet.scores) for _, sheet in seen),
        "last": max(at, default="–")[:16].replace("T", " "),
        "flags": [
            {"task": item.key.task, "comments": [text for text in sheet.comments.values() if text]}
            for item, sheet in seen
            if sheet.flagged
        ],
    }


def _about(opened: Store, session: GradingSession) -> dict[str, Any]:
    return {
        "session": session.id,
        "grader": session.grader,
        "suite": opened.suite(session.suite).name,
        "rubric": session.rubric,
    }


def _preference_status(opened: Store, store: Scores, session: GradingSession) -> dict[str, Any]:
    events = Preferences(opened).events(grader=session.grader, rubric=session.rubric)
    mine = choices.sheets(events)
    items = store.items(session.id)
    pairs = list(zip(items[::2], items[1::2], strict=True))
    places = [(choices.pair_of(a.key, b.key), a.showing) for a, b in pairs]
    seen = [(place, mine[place]) for place in places if place in mine]
    at = [event.at for event in events if event.session == session.id]
    return {
        **_about(opened, session),
        "items": f"{len(pairs)} pairs",
        "done": sum("" in sheet.choices for _, sheet in seen),
        "skipped": sum(sheet.skipped for _, sheet in seen),
        "flagged": sum(sheet.flagged for _, sheet in seen),
        "scores": sum(len(sheet.choices) for _, sheet in seen),
        "last": max(at, default="–")[:16].replace("T", " "),
        "flags": [
            {"task": pair[0].task, "comments": [text for text in sheet.comments.values() if text]}
            for (pair, _), sheet in seen
            if sheet.flagged
        ],
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
            "items": "imported",
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
                    "items": f"decides {wide[suite]}",
                    "done": done,
                    "skipped": 0,
                    "flagged": 0,
                    "scores": done,
                    "last": "–",
                    "flags": [],
                }
            )
    return found
