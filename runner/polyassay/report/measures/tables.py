"""Measures as tables for a terminal, Markdown, CSV and LaTeX."""

from collections.abc import Mapping, Sequence

from polyassay.measures.measuring.figures import Figure, ToolFigures
from polyassay.measures.measuring.names import TITLES
from polyassay.measures.measuring.suite import SuiteStatistics
from polyassay.measures.worth.agreement import Agreed
from polyassay.measures.worth.mining import Contradiction
from polyassay.measures.worth.pairs import SolvedPair
from polyassay.measures.worth.summary import Worth
from polyassay.report.tables import Cell, Table


def title(name: str) -> str:
    return TITLES.get(name, name)


def tools_table(flavour: str, tools: Sequence[ToolFigures], best_of: int) -> Table:
    """One row a measure, one column a tool: there are more measures than fit side by side."""
    names = list(dict.fromkeys(name for tool in tools for name in tool.figures))
    rows: list[tuple[Cell, ...]] = [
        (title(name), *(_cell(tool.figures.get(name)) for tool in tools)) for name in names
    ]
    rows.append(("samples", *(tool.samples for tool in tools)))
    rows.append(("empty answers", *(tool.empty for tool in tools)))
    best = f", best of {best_of} samples" if best_of else ""
    return Table((f"{flavour}{best}", *(tool.tool for tool in tools)), tuple(rows))


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return "unknown"
    ends = figure.interval
    told = f"{figure.value:.3g}"
    if ends:
        told += f"  {ends.low:.3g}–{ends.high:.3g}"
    return f"{told}  ({figure.unknown} unknown)" if figure.unknown else told


def worth_table(found: Sequence[Worth]) -> Table:
    columns = ("measure", "AUC", "within tasks", "correlation", "tools alike", "by fifths")
    rows = tuple(
        (
            title(one.measure),
            _agreed(one.auc),
            f"{_agreed(one.within)} ({one.within.n} tasks)" if one.within.n else "unknown",
            _agreed(one.correlation),
            _agreed(one.ranking.agreement) if one.ranking else "",
            " ".join(f"{100 * part.passed / part.samples:.0f}" for part in one.quintiles),
        )
        for one in found
    )
    notes = (
        "AUC: the chance that a pass has a higher value than a failure; 0.5 says nothing.",
        "By fifths: the pass rate in per cent, from the lowest values to the highest.",
    )
    return Table(columns, rows, notes)


def _agreed(agreed: Agreed) -> str:
    if agreed.value is None:
        return "unknown"
    ends = agreed.interval
    told = f"{agreed.value:.2f}"
    reach = f"  {ends.low:.2f} to {ends.high:.2f}" if ends else ""
    return (told + reach).replace("-", "−")


def cases_table(cases: Sequence[Contradiction]) -> Table:
    rows = tuple(
        (
            "passes" if case.passed else "fails",
            f"{case.value:.3g}",
            f"{case.key.suite} {case.key.task}",
            case.key.tool,
            case.key.sample,
            ", ".join(case.tags),
        )
        for case in cases
    )
    measure = title(cases[0].measure) if cases else "value"
    return Table(("tests", measure, "task", "tool", "sample", "how it differs"), rows)


def people_table(found: Mapping[str, Mapping[str, Agreed]]) -> Table:
    """Which measure goes along with which dimension of a rubric."""
    names = list(dict.fromkeys(name for of in found.values() for name in of))
    rows = tuple(
        (title(name), *(_agreed(of[name]) if name in of else "" for of in found.values()))
        for name in names
    )
    notes = ("Spearman's rho with the mean of the graders' scores; 0 says nothing.",)
    return Table(("measure", *found), rows, notes)


def pairs_table(pair: SolvedPair) -> Table:
    rows = tuple(
        (title(name), _signed(agreed), agreed.n)
        for name, agreed in pair.differences.items()
        if agreed.value is not None
    )
    told = f"{pair.b} minus {pair.a}, on {pair.tasks} tasks that both solved"
    return Table((told, "difference", "tasks"), rows)


def _signed(agreed: Agreed) -> str:
    ends = agreed.interval
    told = f"{agreed.value:+.3g}"
    return (f"{told}  {ends.low:.3g} to {ends.high:.3g}" if ends else told).replace("-", "−")


def suite_tables(name: str, found: SuiteStatistics) -> list[Table]:
    """What a suite is like: its prompts and references, its libraries, its assertion sets."""
    columns = ("tasks", "open", "closed", "libraries", "tests")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            group,
            *(getattr(of, column) for column in columns),
            _mean(of.prompt_words),
            _mean(of.code_tokens),
            _mean(of.tree_depth),
        )
        for group, of in found.groups.items()
    )
    titles = (f"{name}: prompts in", *columns, "prompt words", "code tokens", "tree depth")
    tables = [Table(titles, rows)]
    if len(found.libraries) > 1:
        libraries = tuple(
            (name, count, found.imports[name]) for name, count in found.libraries.items()
        )
        tables.append(Table(("library", "tasks", "imports"), libraries))
    if found.assertion_sets:
        tables.append(
            Table(("assertion sets a task", "tasks"), tuple(found.assertion_sets.items()))
        )
    return tables


def _mean(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
