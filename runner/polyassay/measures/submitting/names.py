"""Names of tools that a reader takes for each other."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.submitting.findings import Finding
from polyassay.model import Candidate
from polyassay.store import Run

BUILT_IN = (REFERENCE, EMPTY)
LONGEST = 200  # characters of a tool's name in a store


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
        if len(tool) > LONGEST:
            told = f"{tool[:40]}… has {len(tool)} characters, and a store takes {LONGEST}."
            yield Finding("name", told, True)
        if (built_in := looks(tool)) in map(looks, BUILT_IN):
            told = f"{tool} is, or looks like, a built-in tool, and these are never ranked."
            yield Finding("name", told, True)
            continue
        same = [name for name in known if name != tool and looks(name) == built_in]
        for name in dict.fromkeys(same):
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


def looks(name: str) -> str:
    """The same for names that a reader takes for each other."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    shown = "".join(c for c in plain if not _hidden(c) and unicodedata.category(c) != "Mn")
    shown = "".join("-" if unicodedata.category(c) == "Pd" else c for c in shown)
    shown = re.sub(r"[\s_-]+", "-", shown.translate(_LATIN).translate(_LATIN))
    first, last = 0, len(shown)
    while first < last and _is_ornament(shown[first]):
        first += 1
    while first < last and _is_ornament(shown[last - 1]):
        last -= 1
    return shown[first:last] or shown


def _is_ornament(sign: str) -> bool:
    """What a name may have around it; C++ and C# are other names than C."""
    return unicodedata.category(sign)[0] in "PSZ" and sign not in "+#"


def alike(tools: Iterable[str], known: Iterable[str]) -> list[tuple[str, str]]:
    """Each tool with a known name that it looks like and that is another one, each pair once."""
    by_look: dict[str, list[str]] = {}
    for name in known:
        by_look.setdefault(looks(name), []).append(name)
    pairs = {
        tuple(sorted((tool, name)))
        for tool in tools
        for name in by_look.get(looks(tool), ())
        if name != tool
    }
    return [(first, second) for first, second in sorted(pairs)]
