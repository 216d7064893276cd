"""Reads candidates from answer files of any known format, and makes programs of candidates."""

from polyassay.candidates.answers import (
    Answers,
    empty_candidates,
    read_answers,
    reference_candidates,
)
from polyassay.candidates.formats import FORMATS
from polyassay.candidates.maker import ProgramMaker
from polyassay.candidates.program import make_program

__all__ = [
    "FORMATS",
    "Answers",
    "ProgramMaker",
    "empty_candidates",
    "make_program",
    "read_answers",
    "reference_candidates",
]
