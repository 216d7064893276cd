"""Samples that may be chosen ones: numbers left out, and one answer several times."""

from collections.abc import Iterable, Iterator, Mapping

from polyassay.measures.submitting.findings import Finding
from polyassay.model import Candidate, CandidateKey, Program
from polyassay.wording import counted, some

_NEARLY_ALL, _FEWEST = 0.9, 3  # of so many tasks or more with several samples
_SHOWN = 5


def number_findings(candidates: Iterable[Candidate]) -> Iterator[Finding]:
    """Samples are numbered from 0 or 1 on; whoever leaves out numbers may have left out answers."""
    numbers: dict[str, dict[tuple[str, str, str], set[int]]] = {}
    for candidate in candidates:
        key = candidate.key
        unit = key.suite, key.task, key.prompt_language
        numbers.setdefault(key.tool, {}).setdefault(unit, set()).add(key.sample)
    for tool, units in numbers.items():
        first = min(1, *(min(found) for found in units.values()))
        gaps = [f for f in units.values() if f != set(range(first, first + len(f)))]
        if gaps:
            shown = some([str(number) for number in sorted(gaps[0])], _SHOWN)
            many = f"{len(gaps)} of {counted(len(units), 'task')}"
            told = f"{tool}'s samples of {many} are not numbered one after the other ({shown})"
            yield Finding("samples", f"{told}: are they chosen ones?", look=True)


def one_answer_findings(
    programs: Mapping[CandidateKey, Program], shapes: Mapping[CandidateKey, str]
) -> Iterator[Finding]:
    """Whether all samples of a task are one answer, and made to look as if they were several."""
    units: dict[str, dict[tuple[str, str, str], list[CandidateKey]]] = {}
    for key in programs:
        unit = key.suite, key.task, key.prompt_language
        units.setdefault(key.tool, {}).setdefault(unit, []).append(key)
    for tool, found in units.items():
        several = [keys for keys in found.values() if len(keys) > 1]
        alike = [keys for keys in several if len({shapes[key] for key in keys}) == 1]
        if len(alike) < max(_FEWEST, _NEARLY_ALL * len(several)):
            continue
        texts = [len({programs[key].code for key in keys}) for keys in alike]
        told = f"All samples of a task are one answer, of {tool} in {len(alike)} of "
        told += counted(len(several), "task")
        if all(count == 1 for count in texts):
            yield Finding("samples", f"{told}: they say nothing that one sample does not.")
        else:
            told += ", changed in what does nothing"
            yield Finding("samples", f"{told}: was one chosen and repeated?", look=True)
