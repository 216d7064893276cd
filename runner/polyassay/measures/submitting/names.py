"""Names of tools that a reader takes for each other."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.submitting.findings import Finding
from polyassay.model import Candidate
from polyassay.store import Run

BUILT_IN = (REFERENCE, EMPTY)


def without_built_in(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Finding]]:
    """What could be ranked: a run of one's own often has `reference` and `empty` beside it."""
    found = [tool for tool in BUILT_IN if any(one.key.tool == tool for one in candidates)]
    ranked = [one for one in candidates if one.key.tool not in BUILT_IN]
    if not found:
        return ranked, []
    told = f"not ranked: {', '.join(found)}"
    if ranked:
        return ranked, [Finding("name", f"{told}.")]
    return ranked, [Finding("name", f"{told}, and nothing else is there.", True)]


def name_findings(tools: Sequence[str], runs: Sequence[Run], resent: set[str]) -> Iterator[Finding]:
    """Names that a board cannot tell apart; `resent` have the answers of their name here."""
    here: dict[str, Run] = {}  # the newest run of each
    for run in runs:
        for tool in run.provenance["candidates"]["tools"]:
            here.setdefault(tool, run)
    known = [name for name in [*here, *tools] if name not in BUILT_IN]
    for tool in tools:
        if odd := sorted({f"U+{ord(sign):04X}" for sign in tool if _hidden(sign)}):
            told = f"{tool!r} has characters that do not show: {', '.join(odd)}."
            yield Finding("name", told, True)
        if (built_in := _looks(tool)) in map(_looks, BUILT_IN):
            told = f"{tool} is, or looks like, a built-in tool, and these are never ranked."
            yield Finding("name", told, True)
            continue
        alike = [name for name in known if name != tool and _looks(name) == built_in]
        for name in dict.fromkeys(alike):
            where = f" of run {here[name].id}" if name in here else " of the same file"
            told = f"{tool} looks like {name}{where} and is another name: it needs one of its own."
            yield Finding("name", told, True)
        if tool in here and tool not in resent:
            run = here[tool]
            told = f"{tool} is the name of a tool in run {run.id}, which gave other answers."
            yield Finding("name", f"{told} Is it the same tool?", look=True)


def _hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


# Cyrillic and Greek letters that look like Latin ones, and digits that look like letters.
_LATIN = str.maketrans(
    "\u0430\u0432\u0435\u0455\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443"
    "\u0445\u04cf\u0501\u051b\u051d\u04bb\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf"
    "\u03c1\u03c4\u03c5\u03c7\u03b3\u0131" + "01i|",
    "abesijkmhopcty" + "xldqwhabenikvo" + "ptuxyl" + "olll",
)


def _looks(name: str) -> str:
    """The same for names that a reader takes for each other."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    shown = "".join(c for c in plain if not _hidden(c) and unicodedata.category(c) != "Mn")
    return re.sub(r"[\s_-]+", "-", shown.translate(_LATIN).translate(_LATIN)).strip("-")
