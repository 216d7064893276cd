"""The measures of answers' text: names, titles, and how a higher value is said."""

from typing import NamedTuple

from polyassay.measures.readability.signals import NAMES as SIGNALS
from polyassay.measures.surface.values import NAMES as SURFACE


class TextMeasure(NamedTuple):
    name: str
    title: str
    says: str  # what a tool with a higher value does
    more_is_better: bool = True
    high: float | None = 1.0  # the end of its scale
    unit: str = ""


_STANDARD = (
    TextMeasure("bleu", "BLEU", "is {much} more like the reference by BLEU"),
    TextMeasure("rouge_l", "ROUGE-L", "is {much} more like the reference by ROUGE-L"),
    TextMeasure("meteor", "METEOR", "is {much} more like the reference by METEOR"),
    TextMeasure(
        "chrf", "ChrF", "is {much} more like the reference by ChrF", high=100.0, unit="ChrF"
    ),
    TextMeasure("codebleu", "CodeBLEU", "is {much} more like the reference by CodeBLEU"),
    TextMeasure("codebleu_ngram", "CodeBLEU n-grams", "shares {much} more n-grams"),
    TextMeasure("codebleu_weighted", "CodeBLEU weighted", "shares {much} more weighted n-grams"),
    TextMeasure("codebleu_syntax", "CodeBLEU syntax", "shares {much} more subtrees"),
    TextMeasure("codebleu_dataflow", "CodeBLEU data flow", "shares {much} more data flow"),
    TextMeasure("exact", "exact match", "equals the reference in {much} more"),
)
_READABILITY = (
    TextMeasure("complexity", "complexity", "is {much} more complex", False, None, "branches"),
    TextMeasure("nesting", "nesting", "nests {much} deeper", False, None, "levels"),
    TextMeasure("lines", "lines", "is {much} longer", False, None, "lines"),
    TextMeasure("parameters", "parameters", "takes {much} more", False, None, "parameters"),
    TextMeasure("name_length", "name length", "has names {much} longer", True, None, "letters"),
    TextMeasure("duplication", "repeated lines", "repeats {much} more of its lines", False),
    TextMeasure("length_ratio", "length", "is {much} longer", False, None, "references"),
    *(
        TextMeasure(name, title, "has {much} more", False, None, f"{unit} a 100 lines")
        for name, title, unit in (
            ("findings", "findings", "findings"),
            ("findings_bug", "likely bugs", "likely bugs"),
            ("findings_style", "lapses of style", "lapses of style"),
            ("findings_complexity", "complications", "complications"),
            ("findings_performance", "slow code", "slow places"),
            ("findings_security", "unsafe code", "unsafe places"),
        )
    ),
)
PUBLISHED = "published_"  # before the name of a surface metric in that flavour
READABILITY = tuple(row.name for row in _READABILITY)

TEXT_MEASURES = (
    *_STANDARD,
    *(
        row._replace(name=PUBLISHED + row.name, title=f"{row.title} (published)")
        for row in _STANDARD
    ),
    *_READABILITY,
)
TITLES = {row.name: row.title for row in TEXT_MEASURES} | {"exact_split": "exact (split)"}
HIGHEST = {row.name: row.high for row in TEXT_MEASURES} | {"exact_split": 1.0}

assert {row.name for row in _STANDARD} == set(SURFACE)
assert set(SIGNALS) <= set(READABILITY)
