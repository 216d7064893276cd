"""For papers: AixBench's Table 3, comparisons, and a methods paragraph that the data wrote."""

from collections.abc import Sequence
from dataclasses import dataclass

from polyassay.report.comparing.pairs import p_value
from polyassay.report.tables import Cell, Table, latex
from polyassay.rubric.agreement import consistency
from polyassay.rubric.figures.agreeing import Agreement, Figure
from polyassay.rubric.figures.comparing import GradeComparison
from polyassay.rubric.figures.preferring import PreferenceFigures
from polyassay.rubric.figures.summary import Summary
from polyassay.rubric.sheets import Score, first_showings
from polyassay.store.graders import Calibration
from polyassay.wording import counted


@dataclass(frozen=True, slots=True)
class Graded:
    """Everything that a paper says about one rubric."""

    summary: Summary
    scores: Sequence[Score]
    agreement: dict[str, Agreement]
    compared: Sequence[GradeComparison]
    preferred: PreferenceFigures | None
    calibration: Sequence[Calibration]
    blind: bool  # whether all scores were given in sessions, which hide tools


def table_3(found: Summary) -> Table:
    """As AixBench has it: a line a dimension, a column a tool, four places."""
    rows: list[tuple[Cell, ...]] = [
        (
            dimension.name.get("en", dimension.id).capitalize(),
            *(
                f"{of[dimension.id].mean:.4f}" if dimension.id in of else "–"
                for of in found.means.values()
            ),
        )
        for dimension in found.rubric.dimensions
    ]
    return Table(("", *found.means), tuple(rows))


def intervals_table(found: Summary) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (tool, name, f"{m.mean:.2f}", f"[{m.low:.2f}, {m.high:.2f}]", m.n, m.scores)
        for tool, of in found.means.items()
        for name, m in of.items()
    ]
    return Table(("tool", "dimension", "mean", "95 % CI", "answers", "scores"), tuple(rows))


def differences_table(found: Sequence[GradeComparison]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for name, metric in one.comparison.metrics.items():
            ends = metric.interval
            told = f"{metric.difference:+.2f}".replace("-", "−")
            interval = f"[{ends.low:.2f}, {ends.high:.2f}]".replace("-", "−")
            pair = f"{one.comparison.b} − {one.comparison.a}"
            rows.append((pair, name, told, interval, p_value(metric.p_adjusted), metric.units))
    columns = ("tools", "dimension", "difference", "CI", "p (Holm)", "tasks")
    return Table(columns, tuple(rows))


def latex_text(found: Graded) -> str:
    """Tables and paragraph, ready to be put into a paper."""
    parts = [latex(table_3(found.summary)), latex(intervals_table(found.summary))]
    if found.compared:
        parts.append(latex(differences_table(found.compared)).replace("−", "$-$"))
    prose = latex_escape(methods(found))
    return "\n".join([*parts, prose]) + "\n"


def latex_escape(text: str) -> str:
    """The text as LaTeX prose, with the escapes of the tables."""
    table = latex(Table(("x",), ((text,),)))
    return table.split("\\midrule\n  ", 1)[1].split(r" \\" + "\n", 1)[0].replace("−", "$-$")


def methods(found: Graded) -> str:
    """Who graded what, how often, and how far they agree."""
    sentences = [
        _who(found),
        _how_often(found),
        _repeats(found),
        _agreement(found),
        _decided(found),
        _compared(found),
        _preferred(found.preferred),
        _left_out(found),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _who(found: Graded) -> str:
    given = first_showings(found.scores)
    answers = {score.key for score in given}
    tasks = {(key.suite, key.task) for key in answers}
    tools = sorted({key.tool for key in answers})
    suites = sorted({key.suite for key in answers})
    rubric = found.summary.rubric
    scales = ", ".join(f"{name} ({a} to {b})" for name, (a, b) in rubric.scales.items())
    graders = len({score.grader for score in given})
    blind = (
        " Graders saw neither tools nor file names, in an order of their own drawn at random."
        if found.blind
        else ""
    )
    return (
        f"{counted(graders, 'person', 'people')} graded {counted(len(answers), 'answer')} of "
        f"{counted(len(tools), 'tool')} ({', '.join(tools)}) to {counted(len(tasks), 'task')} of "
        f"{', '.join(suites)} by the rubric {rubric.name}: {scales}.{blind}"
    )


def _how_often(found: Graded) -> str:
    given = first_showings(found.scores)
    graders: dict[object, set[str]] = {}
    for score in given:
        graders.setdefault(score.key, set()).add(score.grader)
    sizes = sorted(len(of) for of in graders.values())
    if not sizes:
        return ""
    each = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    people = "grader" if each == "1" else "graders"
    return (
        f"Each answer was scored by {each} {people}, {counted(len(given), 'score')} in all; an "
        "answer's score is the mean over its graders, a tool's the mean over its answers."
    )


def _repeats(found: Graded) -> str:
    told = []
    if found.calibration:
        told.append(
            f"{counted(len(found.calibration), 'answer')} of known scores came before the first "
            "and again later."
        )
    steady = [
        of for d in found.summary.rubric.dimensions for of in consistency(found.scores, d).values()
    ]
    items = sum(of.items for of in steady)
    if items:
        same = sum(of.same * of.items for of in steady) / items
        told.append(
            f"Of {counted(items, 'score')} that graders gave a second time without being told, "
            f"{100 * same:.0f} % were the same."
        )
    return " ".join(told)


def _agreement(found: Graded) -> str:
    known = {name: of for name, of in found.agreement.items() if of.alpha.value is not None}
    if not known:
        return "No answer was scored by two people, so that agreement is not known."
    alphas = ", ".join(f"{_with_ci(of.alpha)} for {name}" for name, of in known.items())
    kappas = [
        f"{value:.2f}"
        for of in known.values()
        for pair in of.pairs.values()
        if (value := pair.kappa.value) is not None
    ]
    ends = f"{min(kappas, key=float)} to {max(kappas, key=float)}" if kappas else "not defined"
    return (
        f"Krippendorff's alpha (ordinal) was {alphas}; quadratic-weighted kappa of pairs of "
        f"graders was {ends}."
    )


def _with_ci(figure: Figure) -> str:
    ends = figure.interval
    told = f" (95 % CI {ends.low:.2f} to {ends.high:.2f})" if ends else ""
    return f"{figure.value:.2f}{told}"


def _decided(found: Graded) -> str:
    decided = sum(score.decision for score in found.scores)
    if not decided:
        return ""
    were = "was" if decided == 1 else "were"
    return f"{counted(decided, 'disagreement')} {were} decided by adjudication."


def _compared(found: Graded) -> str:
    if not found.compared:
        return ""
    return (
        "Tools were compared by the mean of paired differences within tasks and graders, with "
        "t-intervals clustered by task, tests adjusted after Holm."
    )


def _preferred(found: PreferenceFigures | None) -> str:
    if found is None:
        return ""
    graders = {grader for one in found.standings for grader in one.graders}
    return (
        f"{counted(len(graders), 'person', 'people')} chose between two answers side by side "
        f"{counted(found.choices, 'time')}, sides drawn at random; strengths are of a "
        "Bradley-Terry model with ties (Davidson), with errors clustered by task."
    )


def _left_out(found: Graded) -> str:
    rows = found.summary.left_out
    if not rows:
        return ""
    return f"{counted(len(rows), 'score')} could not be taken into account."
