"""What `polyassay measures --json` prints."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from polyassay.measures.measuring.figures import Figure, ToolFigures
from polyassay.measures.measuring.rows import Row
from polyassay.measures.table import HEADLINE
from polyassay.measures.worth.agreement import Agreed
from polyassay.measures.worth.mining import Contradiction
from polyassay.measures.worth.pairs import SolvedPair
from polyassay.measures.worth.summary import Worth
from polyassay.statistics.clusters import Interval


def sample_json(row: Row) -> dict[str, Any]:
    """One line a sample."""
    told: dict[str, Any] = {
        **asdict(row.key),
        "measures": dict(row.sample.values),
        "tags": list(row.sample.tags),
        "notes": list(row.sample.notes),
    }
    return told if row.passed is None else told | {"passed": row.passed}


def tool_json(found: ToolFigures) -> dict[str, Any]:
    return {
        "tasks": found.tasks,
        "samples": found.samples,
        "empty": found.empty,
        "measures": {name: _figure(figure) for name, figure in found.figures.items()},
        "corpus": {name: _figure(figure) for name, figure in found.corpus.items()},
    }


def _figure(figure: Figure | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    ends = _ends(figure.interval)
    return {"value": figure.value} | ends | {"known": figure.known, "unknown": figure.unknown}


def _ends(interval: Interval | None) -> dict[str, float | None]:
    return {
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def agreed_json(agreed: Agreed) -> dict[str, Any]:
    return {"value": agreed.value} | _ends(agreed.interval) | {"n": agreed.n}


def worth_json(found: Worth) -> dict[str, Any]:
    told: dict[str, Any] = {
        "passed": found.passed,
        "failed": found.failed,
        "auc": agreed_json(found.auc),
        "correlation": agreed_json(found.correlation),
        "auc_within_tasks": agreed_json(found.within),
        "quintiles": [
            {
                "low": part.low,
                "high": part.high,
                "samples": part.samples,
                "pass_rate": part.passed / part.samples,
            }
            for part in found.quintiles
        ],
        "threshold": {
            "value": found.threshold.value,
            "balanced_accuracy": found.threshold.accuracy,
        }
        if found.threshold
        else None,
        "confounders": {name: agreed_json(of) for name, of in found.confounders.items()},
    }
    if ranking := found.ranking:
        told["tools"] = {
            "kendall_tau": agreed_json(ranking.tau),
            "pearson": agreed_json(ranking.pearson),
            "decided_alike": agreed_json(ranking.agreement),
            "pairs": [
                {"a": p.a, "b": p.b, "measure": p.measure, HEADLINE.name: p.tests, "agree": p.agree}
                for p in ranking.pairs
            ],
        }
    return told


def case_json(case: Contradiction) -> dict[str, Any]:
    return {
        **asdict(case.key),
        "passed": case.passed,
        "measure": case.measure,
        "value": case.value,
        "tags": list(case.tags),
    }


def flavour_json(
    name: str, versions: Mapping[str, str], tools: Sequence[ToolFigures]
) -> dict[str, Any]:
    return {
        "flavour": name,
        "versions": dict(versions),
        "tools": {found.tool: tool_json(found) for found in tools},
    }


def people_json(found: Mapping[str, Mapping[str, Agreed]]) -> dict[str, Any]:
    """Dimension → measure → Spearman's rho."""
    return {
        dimension: {name: agreed_json(agreed) for name, agreed in of.items()}
        for dimension, of in found.items()
    }


def pair_json(pair: SolvedPair) -> dict[str, Any]:
    differences = {name: agreed_json(agreed) for name, agreed in pair.differences.items()}
    return {"a": pair.a, "b": pair.b, "tasks": pair.tasks, "differences": differences}
