"""What the first page draws as pictures or by hand, as plain tables to take along."""

from collections.abc import Callable, Mapping

from polyassay.report.sections.history import history_table
from polyassay.report.tables import Cell, Table
from polyassay.report.views import HeadToHead, Site
from polyassay.texts import say


def scores_table(site: Site) -> Table:
    rows = tuple((one.tool, *one.cells, one.solved) for one in site.scores)
    return Table((say("tool"), *site.measures, site.solved), rows)


def groups_table(site: Site) -> Table:
    """One line a group and tool; the difference stands with the first tool, as on the page."""
    rows: list[tuple[Cell, ...]] = []
    for group in site.groups:
        for place, (tool, share) in enumerate(group.scores.items()):
            tested = (group.difference, group.p, say(group.answer)) if not place else (None, "", "")
            kind = say(group.kind.replace("_", " "))
            rows.append((kind, group.name, group.tasks, tool, share, *tested))
    names = ("by", "group", "tasks", "tool")
    last = ("difference", "p (Bonferroni)", "answer")
    return Table((*map(say, names), site.by, *map(say, last)), tuple(rows))


def outcomes_table(site: Site) -> Table:
    counts = [{words: count for _, words, count in one.endings} for one in site.scores]
    found = list(dict.fromkeys(words for of in counts for words in of))
    rows: list[tuple[Cell, ...]] = [
        (one.tool, *(of.get(words, 0) for words in found))
        for one, of in zip(site.scores, counts, strict=True)
    ]
    return Table((say("tool"), *map(say, found)), tuple(rows))


def ranks_table(site: Site) -> Table:
    rows = tuple((one.tool, one.best, one.worst) for one in site.ranks)
    return Table((say("tool"), say("best rank"), say("worst rank")), rows)


def quadrants_table(head: HeadToHead) -> Table:
    a, b, solved = head.a, head.b, head.solved
    rows = (
        (say("both"), solved.both),
        (say("only {tool}", tool=a), solved.only_a),
        (say("only {tool}", tool=b), solved.only_b),
        (say("neither"), solved.neither),
    )
    return Table((say("solved by"), say("tasks")), rows)


PAGE_TABLES: Mapping[str, Callable[..., Table]] = {
    "scores": scores_table,
    "groups": groups_table,
    "outcomes": outcomes_table,
    "ranks": ranks_table,
    "quadrants": quadrants_table,
    "history": history_table,
}
