"""The version of what decides verdicts: judging, comparison, limits, extraction.

A run's provenance has the version that it was judged under. Raise RULES, and say below what
changed, whenever the same answer can get another verdict than before.
"""

from collections.abc import Mapping
from typing import Any

from polyassay.errors import PolyAssayError

RULES = 5

# Version → what it changed, for people who find that two runs cannot be compared.
CHANGES = {
    1: "release 0.1.0",
    2: "evalplus' plus inputs are judged; programs' trailing white space does not count; a Python "
    "candidate's total time is CPU time; a test whose assertions were never reached has not "
    "passed; AixBench's task 164 is counted by its tests; Java tests that compile with no "
    "candidate are nobody's failure",
    3: "a test of a pytest file that ends its process costs itself only, and tests that its "
    "publisher switched off do not count; tasks whose setup, or whose list of pytest tests, fails "
    "without any candidate are nobody's failure; a Java candidate's and a cell's total time is CPU "
    "time, too; what idles for a third of its time is ended; what forks and sockets hold counts as "
    "memory; addresses, umask, and a JVM's time zone and locale are pinned",
    4: "of a Python class task only the class that it names is asked how its objects compare; an "
    "error is swallowed by such an object only where nothing is left unchecked by that; library "
    "functions that a test hands in are the answer's own; 0.000e+99 in a notebook's output is "
    "zero, and not a rounded number; NotImplemented is no assertion that holds",
    5: "where a suite's author asks for together, tests mean what they mean to Python; an object"
    " that a test makes by calling its class is asked how it compares wherever Python asks, "
    "and computes with data; functions in named tuples and exceptions say yes to nothing, and"
    " what subclasses, zones, wrappers and errors add crosses; class tasks that raise or "
    "catch the class are judged together; of wall time only what a candidate had for itself "
    "counts as idling; Java: no JVM goes on after calls that may leave something behind, no "
    "class of an answer hides what tests import, more values cross, programs have streams of "
    "their own, a test may have a thousand threads, on JDK 24 and later no native memory, and "
    "tests that forgot an import are nobody's failure, whatever the reference is like, a main "
    "that takes nothing is started, and imports of modules are read;"
    " processes that end unseen have no more than their time; sandboxes neither ignore nor "
    "hold back signals; thoughts before an answer are no part of it, and answers in several "
    "blocks or as diffs are put together; Python code is found in more kinds of chats, and no "
    "stub, test or example of use that stands before the code is taken for it; DS-1000's "
    "snippets are judged apart where only plain values and arrays cross",
}


def rules_of(provenance: Mapping[str, Any]) -> int:
    """The version that a run was judged under; release 0.1.0 recorded none."""
    found = provenance.get("rules", 1)
    return found if type(found) is int else 1


def is_known(version: object) -> bool:
    """Whether this program has had such rules: True and 5.0 are none, though Python equals them."""
    return type(version) is int and version in CHANGES


def told(version: int) -> str:
    return f"rules {version}"


def judge_again(run: str, version: int) -> str:
    """Why a run cannot stand beside others, and the command that mends it."""
    if version not in CHANGES:
        return f"Run {run} was judged under {told(version)}, and this PolyAssay has {told(RULES)}."
    return (
        f"Run {run} was judged under {told(version)}; `polyassay run --again {run}` judges it "
        f"under {told(RULES)} (what changed: `polyassay runs rules`)."
    )


def refuse_older(run: str, provenance: Mapping[str, Any]) -> None:
    """No run goes on under other rules than it was begun under."""
    version = rules_of(provenance)
    if version != RULES:
        raise PolyAssayError(
            f"Run {run} was begun under {told(version)}, and this PolyAssay has {told(RULES)}.",
            hint=f"`polyassay run --again {run}` judges all of it anew and keeps it as it is.",
        )
