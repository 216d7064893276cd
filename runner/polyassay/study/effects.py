"""What a varied setting does: its values against the first one, paired by task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyassay.measures.comparing.two import Metric, Paired, adjusted, paired_metric
from polyassay.measures.scores import Estimate, estimate
from polyassay.measures.table import measure
from polyassay.measures.units import Scores, UnitScore
from polyassay.study.variants import Variant, variant_name


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
    variants: Sequence[Variant],
    varied: Mapping[str, Sequence[Any]],
    scores: Scores,
    name: str,
) -> list[SettingEffects]:
    """For each setting; other settings and tools are the same on both sides of a pair."""
    known = {v.tool.name: v for v in variants if v.values and v.tool.name in scores}
    return [
        _of_setting(setting, values, known, scores, name)
        for setting, values in varied.items()
        if len(values) > 1 and any(setting in variant.values for variant in known.values())
    ]


def _of_setting(
    setting: str,
    values: Sequence[Any],
    known: Mapping[str, Variant],
    scores: Scores,
    name: str,
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
            for tool, variant in known.items()
            if variant.values.get(setting) == value
            for unit in scores[tool]
            if not unit.left_out
        ]
        effects.append(Effect(value, estimate(units, row), metrics.get(place)))
    return SettingEffects(setting, name, tuple(effects))


def _pairs(
    setting: str,
    first: Any,
    second: Any,
    known: Mapping[str, Variant],
    scores: Scores,
    name: str,
) -> list[Paired]:
    pairs = []
    for tool, variant in known.items():
        if variant.values.get(setting) != first:
            continue
        other = variant_name(variant.base, {**variant.values, setting: second})
        if other not in known:
            continue
        theirs = {unit.unit: unit for unit in scores[other]}
        for unit in scores[tool]:
            pair = _pair(unit, theirs.get(unit.unit), name)
            if pair:
                pairs.append(pair)
    return pairs


def _pair(a: UnitScore, b: UnitScore | None, name: str) -> Paired | None:
    row = measure(name)
    if b is None or a.left_out or b.left_out:
        return None
    x, y = row.of_unit(a), row.of_unit(b)
    return None if x is None or y is None else Paired(a.unit, a.cluster, x, y)
