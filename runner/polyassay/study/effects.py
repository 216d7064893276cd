"""What a varied setting does: its values against the first one, paired by task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyassay.measures.comparing.two import Metric, Paired, adjusted, paired_metric
from polyassay.measures.scores import Estimate, estimate
from polyassay.measures.table import measure
from polyassay.measures.units import Scores, UnitScore
from polyassay.study.variants import Variant

TOOL = "tool"  # also a setting, where the same settings are asked of several tools


@dataclass(frozen=True, slots=True)
class Effect:
    """One value of a setting, over all tools and all values of the other settings."""

    value: Any
    score: Estimate
    against_first: Metric | None  # None for the first value itself


@dataclass(frozen=True, slots=True)
class SettingEffects:
    setting: str
    measure: str
    effects: tuple[Effect, ...]


def effects_of(
    variants: Sequence[Variant], varied: Mapping[str, Sequence[Any]], scores: Scores, name: str
) -> list[SettingEffects]:
    """For tools and each setting; all other settings are the same on both sides of a pair."""
    known = [variant for variant in variants if variant.values and variant.tool.name in scores]
    tools = list(dict.fromkeys(variant.base for variant in known))
    return [
        _of_setting(setting, values, known, scores, name)
        for setting, values in {TOOL: tools, **varied}.items()
        if len({str(_value(variant, setting)) for variant in known}) > 1
    ]


def _value(variant: Variant, setting: str) -> Any:
    return variant.base if setting == TOOL else variant.values.get(setting)


def _others(variant: Variant, setting: str) -> str:
    """All but this setting, as a key."""
    settings = {TOOL: variant.base, **variant.values}
    return repr(sorted((name, str(v)) for name, v in settings.items() if name != setting))


def _of_setting(
    setting: str, values: Sequence[Any], known: Sequence[Variant], scores: Scores, name: str
) -> SettingEffects:
    row = measure(name)
    found = {
        place: paired_metric(pairs, row)
        for place, value in enumerate(values)
        if place and (pairs := _pairs(setting, values[0], value, known, scores, name))
    }
    metrics = dict(zip(found, adjusted(list(found.values())), strict=True))
    effects = []
    for place, value in enumerate(values):
        units = [
            unit
            for variant in known
            if _value(variant, setting) == value
            for unit in scores[variant.tool.name]
            if not unit.left_out
        ]
        effects.append(Effect(value, estimate(units, row), metrics.get(place)))
    return SettingEffects(setting, name, tuple(effects))


def _pairs(
    setting: str,
    first: Any,
    second: Any,
    known: Sequence[Variant],
    scores: Scores,
    name: str,
) -> list[Paired]:
    there = {_others(v, setting): v for v in known if _value(v, setting) == second}
    pairs = []
    for variant in known:
        other = there.get(_others(variant, setting))
        if _value(variant, setting) == first and other:
            pairs += pairs_of(scores[variant.tool.name], scores[other.tool.name], name)
    return pairs


def pairs_of(a: Sequence[UnitScore], b: Sequence[UnitScore], name: str) -> list[Paired]:
    """Units that count for both and whose values are known for both."""
    row, theirs = measure(name), {unit.unit: unit for unit in b}
    found = []
    for unit in a:
        other = theirs.get(unit.unit)
        if other is None or unit.left_out or other.left_out:
            continue
        x, y = row.of_unit(unit), row.of_unit(other)
        if x is not None and y is not None:
            found.append(Paired(unit.unit, unit.cluster, x, y))
    return found


def against(scores: Scores, baseline: str, name: str) -> dict[str, Metric]:
    """Every other tool against the baseline, tested together."""
    row, found = measure(name), {}
    for tool, units in scores.items():
        if tool != baseline and (pairs := pairs_of(scores[baseline], units, name)):
            found[tool] = paired_metric(pairs, row)
    return dict(zip(found, adjusted(list(found.values())), strict=True))
