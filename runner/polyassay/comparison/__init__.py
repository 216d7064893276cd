"""Compares what a notebook cell showed with what is accepted; pure, and in linear time.

The text is a candidate's and may be anything: nothing here evaluates it, and what is longer than
`LIMIT` is cut off. A rule is one function, and this table is where a run finds it.
"""

from collections.abc import Mapping

from polyassay.comparison import default, exeds
from polyassay.comparison.values import AnswerType, CellFailure, CellOutput, Match, Rule

__all__ = ["RULES", "AnswerType", "CellFailure", "CellOutput", "Match", "Rule"]

RULES: Mapping[str, Rule] = {"default": default.compare, "exeds": exeds.compare}
