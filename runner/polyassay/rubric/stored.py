"""Rubrics and scores as the store has them."""

from collections.abc import Iterable

from polyassay.errors import PolyAssayError
from polyassay.rubric import rubrics
from polyassay.rubric.figures.left_out import still_left_out
from polyassay.rubric.preference.choices import Preference, preferences
from polyassay.rubric.rubrics import Rubric
from polyassay.rubric.sheets import Score, scores
from polyassay.store.graders import GraderKind, Graders, LeftOutRow
from polyassay.store.preferences import Preferences
from polyassay.store.scores import CALIBRATION, Scores


def keep_rubric(store: Scores, rubric: Rubric) -> None:
    """Keeps a rubric with its scores; wording may change, dimensions and points may not."""
    before = store.rubric_text(rubric.name)
    if before is not None and rubrics.parse(before, "the store").scales != rubric.scales:
        raise PolyAssayError(
            f'The store has scores by another rubric "{rubric.name}".',
            hint="Give yours another name: its dimensions or points differ.",
        )
    if before != rubric.text:
        store.save_rubric(rubric.name, rubric.text)


def used_rubric(store: Scores, name: str | None) -> Rubric:
    """The rubric whose scores a command is about: the only one in the store unless named."""
    used = store.rubrics()
    if name is None:
        if not used:
            raise PolyAssayError(
                "Nobody has given a score yet.",
                hint="`polyassay grade start --help` and `polyassay grade import --help` say how.",
            )
        if len(used) > 1:
            raise PolyAssayError(
                f"The store has scores by several rubrics: {', '.join(used)}.",
                hint="Choose one with --rubric.",
            )
        (name,) = used
    if name in used:
        text = store.rubric_text(name)
        assert text is not None
        return rubrics.parse(text, f'the stored rubric "{name}"')
    rubric = rubrics.load(name)
    if rubric.name not in used:
        raise PolyAssayError(
            f'The store has no scores by the rubric "{rubric.name}".',
            hint=f"It has scores by {', '.join(used) or 'none'}.",
        )
    return rubric


def all_scores(
    store: Scores, rubric: Rubric, suite: str | None, kind: GraderKind = GraderKind.PERSON
) -> list[Score]:
    """Every score of people (or of models) that holds, repeats and decisions included.

    Scores of calibration items are not among them.
    """
    return [s for s in _scores(store, rubric, suite, kind) if s.key.tool != CALIBRATION]


def calibration_scores(
    store: Scores, rubric: Rubric, suite: str | None, kind: GraderKind = GraderKind.PERSON
) -> list[Score]:
    """What graders gave to calibration items; `showing` counts the rounds."""
    return [s for s in _scores(store, rubric, suite, kind) if s.key.tool == CALIBRATION]


def _scores(store: Scores, rubric: Rubric, suite: str | None, kind: GraderKind) -> list[Score]:
    models = Graders(store.opened).models()
    wanted = {"rubric": rubric.name} | ({"suite": suite} if suite else {})
    found = scores(store.events(**wanted))
    return [s for s in found if (s.grader in models) == (kind is GraderKind.MODEL)]


def all_preferences(
    store: Scores, rubric: Rubric, suite: str | None, kind: GraderKind = GraderKind.PERSON
) -> list[Preference]:
    """Every choice of people (or of models) that holds, repeats included."""
    models = Graders(store.opened).models()
    wanted = {"rubric": rubric.name} | ({"suite": suite} if suite else {})
    found = preferences(Preferences(store.opened).events(**wanted))
    return [p for p in found if (p.grader in models) == (kind is GraderKind.MODEL)]


def tools_known(store: Scores, suites: Iterable[str]) -> dict[str, set[str]]:
    """Suite → tools whose answers to it were run, given to a grader or scored."""
    wanted = set(suites)
    known = {suite: {key.tool for key in store.shown_code(suite)} for suite in wanted}
    for event in store.events(kind="score"):
        if event.key.suite in wanted:
            known[event.key.suite].add(event.key.tool)
    for run in store.opened.runs():
        for suite in wanted & run.provenance["suites"].keys():
            known[suite].update(run.provenance.get("candidates", {}).get("tools", {}))
    return {suite: tools - {CALIBRATION} for suite, tools in known.items()}


def left_out_rows(store: Scores, rubric: Rubric) -> list[LeftOutRow]:
    """Rows that `grade import --partial` did not take, and that nothing has replaced since."""
    rows = Graders(store.opened).left_out(rubric.name)
    return still_left_out(rows, all_scores(store, rubric, None)) if rows else []
