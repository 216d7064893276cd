"""Simulated people of known severity, noise, drift and leaning, and what grading makes of them.

A grader's score of an answer is its true quality, less the grader's severity, less drift times how
far the session has got, plus noise, rounded to the scale's points. A choice between two answers
follows their true qualities, plus leaning to the left, plus noise; small differences are ties.
Everything goes through the functions that the commands call.
"""

from dataclasses import dataclass, replace

import numpy as np

from polyassay.measures.comparing.two import Answer
from polyassay.model import CandidateKey
from polyassay.rubric import rubrics
from polyassay.rubric.figures.comparing import compare_grades
from polyassay.rubric.figures.graders import GraderFigures, grader_figures
from polyassay.rubric.figures.preferring import preference_figures
from polyassay.rubric.figures.times import Looked
from polyassay.rubric.preference.choices import Preference
from polyassay.rubric.sheets import Score
from polyassay.store.graders import Calibration, calibration_key
from polyassay.store.preferences import Choice

RUBRIC = rubrics.load("aixbench")
DIMENSION = RUBRIC.dimensions[2]  # maintainability, 1 to 5
MANY = 40_000  # tasks from which the truth is computed


@dataclass(frozen=True, slots=True)
class Grader:
    severity: float = 0.0
    noise: float = 0.5
    drift: float = 0.0  # points by which scores have fallen at the session's end
    leaning: float = 0.0  # to the left, of choices
    careless: float = 0.0  # the share of items that get any score


@dataclass(frozen=True, slots=True)
class World:
    tasks: int
    better: float = 0.0  # points by which the second tool is better
    graders: tuple[Grader, ...] = (Grader(),)
    tools: int = 2
    apart: float = 0.6  # spread of a tool's own luck with a task
    mean: float = 3.2
    half_each: bool = False  # every grader scores only half of the tasks, and both answers there


def _qualities(world: World, chance: np.random.Generator, tasks: int) -> np.ndarray:
    """Of each task and tool; the last tool is better."""
    found = world.mean + chance.normal(0, 0.8, (tasks, 1))
    found = found + chance.normal(0, world.apart, (tasks, world.tools))
    found[:, -1] += world.better
    return found


def _points(
    grader: Grader, qualities: np.ndarray, progress: np.ndarray, chance: np.random.Generator
) -> np.ndarray:
    noise = chance.normal(0, grader.noise, qualities.shape)
    raw = qualities - grader.severity - grader.drift * progress + noise
    points = np.clip(np.rint(raw), DIMENSION.low, DIMENSION.high)
    guessed = chance.integers(DIMENSION.low, DIMENSION.high + 1, qualities.shape)
    return np.where(chance.random(qualities.shape) < grader.careless, guessed, points).astype(int)


def _key(task: int, tool: int) -> CandidateKey:
    return CandidateKey("s", f"t{task}", f"tool{tool}", "en", 0)


def _scores(world: World, chance: np.random.Generator) -> list[Score]:
    return [score for score, _ in _ordered_scores(world, chance)]


def _ordered_scores(world: World, chance: np.random.Generator) -> list[tuple[Score, int]]:
    """Every score, and its place in its grader's session."""
    qualities = _qualities(world, chance, world.tasks)
    found = []
    for number, grader in enumerate(world.graders):
        order = chance.permutation(world.tasks * world.tools).reshape(qualities.shape)
        points = _points(grader, qualities, order / order.size, chance)
        for task in range(world.tasks):
            if world.half_each and (task + number) % 2:
                continue
            for tool in range(world.tools):
                score = Score(_key(task, tool), f"g{number}", DIMENSION.id, int(points[task, tool]))
                found.append((score, int(order[task, tool])))
    return found


def true_difference(world: World) -> float:
    """The mean difference of scores over ever so many tasks, by these graders."""
    chance = np.random.default_rng(12345)
    qualities = _qualities(world, chance, MANY)
    every = [
        _points(grader, qualities, chance.random(qualities.shape), chance)
        for grader in world.graders
    ]
    return float(np.mean([points[:, -1] - points[:, 0] for points in every]))


def comparing(world: World, repeats: int, seed: int) -> dict[str, float]:
    """How often `grade compare` answers, and how often its interval holds, in per cent."""
    chance = np.random.default_rng(seed)
    truth = true_difference(world) if world.better else 0.0
    told = held = right = 0
    for _ in range(repeats):
        found = compare_grades(RUBRIC, _scores(world, chance), "tool0", f"tool{world.tools - 1}")
        metric = found.comparison.metrics[DIMENSION.id]
        ends = metric.interval
        held += ends.low <= truth <= ends.high
        told += metric.answer is not Answer.CANNOT_TELL
        right += metric.answer is Answer.BETTER
    share = 100 / repeats
    return {"truth": truth, "told": told * share, "better": right * share, "held": held * share}


def _preferences(world: World, chance: np.random.Generator, tasks: int) -> list[Preference]:
    qualities = _qualities(world, chance, tasks)
    found = []
    for number, grader in enumerate(world.graders):
        for task in range(tasks):
            for a in range(world.tools):
                for b in range(a + 1, world.tools):
                    left, right = (a, b) if chance.random() < 0.5 else (b, a)
                    gap = qualities[task, left] - qualities[task, right] + grader.leaning
                    gap += chance.normal(0, 2 * grader.noise)
                    if chance.random() < grader.careless:
                        gap = chance.normal()
                    choice = Choice.A_BETTER if gap > 0.3 else Choice.B_BETTER
                    choice = Choice.TIE if abs(gap) <= 0.3 else choice
                    sides = _key(task, left), _key(task, right)
                    found.append(Preference(*sides, f"g{number}", "", choice))
    return found


def true_strength(world: World) -> float:
    """How much stronger the last tool is than the first, from ever so many tasks."""
    many = max(2000, MANY // 10 // len(world.graders) // world.tools)
    found = preference_figures(_preferences(world, np.random.default_rng(12345), many))
    assert found
    strengths = {one.tool: one.strength for one in found.standings}
    return strengths[f"tool{world.tools - 1}"] - strengths["tool0"]


def preferring(world: World, repeats: int, seed: int) -> dict[str, float]:
    """How often Bradley-Terry answers and holds; of several tools, any false answer counts."""
    chance = np.random.default_rng(seed)
    truth = true_strength(world) if world.better else 0.0
    told = held = leaned = 0
    for _ in range(repeats):
        found = preference_figures(_preferences(world, chance, world.tasks))
        assert found
        last = next(v for v in found.versus if (v.a, v.b) == ("tool0", f"tool{world.tools - 1}"))
        half = (last.interval.high - last.interval.low) / 2
        held += abs(last.difference - truth) <= half
        told += any(v.answer is not Answer.CANNOT_TELL for v in found.versus)
        leaned += found.leaning.interval.low > 0 or found.leaning.interval.high < 0
    share = 100 / repeats
    return {"truth": truth, "told": told * share, "held": held * share, "leaning": leaned * share}


def talking(world: World, repeats: int, seed: int) -> dict[str, float]:
    """How often the last grader is called in, and how often any other is, in per cent."""
    chance = np.random.default_rng(seed)
    found_out = others = drifted = 0
    for _ in range(repeats):
        figures = _graders(world, chance)
        found_out += bool(figures[-1].talk)
        drifted += any(
            "first calibration" in why or "at the end" in why for why in figures[-1].talk
        )
        others += any(one.talk for one in figures[:-1])
    share = 100 / repeats
    return {"talk": found_out * share, "drift": drifted * share, "others": others * share}


def _graders(world: World, chance: np.random.Generator) -> list[GraderFigures]:
    """With twelve calibration items, twice, and a tenth of the items again."""
    ordered = _ordered_scores(world, chance)
    scores = [score for score, _ in ordered]
    looked: dict[str, list[Looked]] = {}
    for score, order in ordered:
        looked.setdefault(score.grader, []).append(Looked((score.key, 0), order, 30.0))
    given = {(s.grader, s.key): s for s in scores}
    qualities = chance.normal(world.mean, 0.9, (12, 1))
    known = [
        Calibration(calibration_key("s", "t0", "en", n), "", {DIMENSION.id: int(points)})
        for n, points in enumerate(_points(Grader(noise=0), qualities, np.zeros(1), chance)[:, 0])
    ]
    calibrated = []
    again = []
    for number, grader in enumerate(world.graders):
        name = f"g{number}"
        for showing, progress in ((0, 0.0), (1, 0.75)):
            points = _points(grader, qualities, np.full((12, 1), progress), chance)[:, 0]
            calibrated += [
                Score(item.key, name, DIMENSION.id, int(p), showing=showing)
                for item, p in zip(known, points, strict=True)
            ]
        mine = [score for (grader_name, _), score in given.items() if grader_name == name]
        for score in mine[: len(mine) // 10]:
            # The quality behind a first score is not kept; the score stands for it.
            near = np.array([[float(score.score)]])
            steady = replace(grader, severity=0.0, drift=0.0)
            (second,) = _points(steady, near, np.zeros(1), chance)[:, 0]
            again.append(Score(score.key, name, DIMENSION.id, int(second), showing=1))
    return grader_figures(RUBRIC, [*scores, *again], calibrated, known, looked)
