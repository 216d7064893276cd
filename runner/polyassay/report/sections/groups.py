"""The measure that decides, by everything in which the tasks differ."""

from collections.abc import Sequence
from dataclasses import replace

from polyassay.measures.comparing.two import Metric, compare
from polyassay.measures.groups import NONE, grouped
from polyassay.measures.scores import estimate, kept_units
from polyassay.measures.table import Measure
from polyassay.measures.units import Scores, Unit, distinct_tasks
from polyassay.report.comparing.comparison import TOO_FEW, difference_cell
from polyassay.report.comparing.pairs import p_value
from polyassay.report.score_table import estimate_cell
from polyassay.report.views import GroupScore
from polyassay.wording import asked_told

_KINDS = ("language", "prompt_language", "domain", "suite")


def group_scores(scores: Scores, pair: Sequence[str], of: Measure) -> list[GroupScore]:
    """By everything in which the tasks differ."""
    groups: list[GroupScore] = []
    seen: list[set[frozenset[Unit]]] = []
    for kind in _KINDS:
        members = {tool: grouped(units, [kind]) for tool, units in scores.items()}
        names = list(dict.fromkeys(label for own in members.values() for (label,) in own))
        parts = {
            frozenset(u.unit for u in group) for own in members.values() for group in own.values()
        }
        if len([name for name in names if name != NONE]) < 2 or parts in seen:
            continue  # suites of one language each would repeat the languages
        seen.append(parts)
        sides = [(tool, scores[tool]) for tool in pair]
        found = compare(sides[0], sides[1], by=[kind], besides=[of.name]) if sides else None
        tests = found.groups if found else {}
        for name in names:
            if name == NONE:
                continue  # not a group of its own: what the others leave
            own = {
                tool: kept_units(groups_of[name,])
                for tool, groups_of in members.items()
                if (name,) in groups_of
            }
            values = {tool: estimate_cell(estimate(units, of), of) for tool, units in own.items()}
            most = max(own.values(), key=len)
            group = GroupScore(
                kind, name, len(most), asked_told(len(most), distinct_tasks(most)), values
            )
            groups.append(_tested(group, tests.get((name,), {}).get(of.name)))
    return groups


def _tested(group: GroupScore, metric: Metric | None) -> GroupScore:
    if metric is None:
        return group
    if metric.too_few:
        return replace(group, answer=TOO_FEW)
    return replace(
        group,
        difference=difference_cell(metric),
        p=p_value(metric.p_adjusted),
        answer=metric.answer.value,
    )
