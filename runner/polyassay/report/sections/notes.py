"""Notes below a score table that read the whole run: what was counted, and what was luck."""

from polyassay.measures.results import Results
from polyassay.model import LUCKY
from polyassay.texts import say
from polyassay.wording import counted, some


def prompts_note(results: Results) -> list[str]:
    """Why tables count more than the suites have tasks."""
    units = {unit.unit for of in results.scores.values() for unit in of}
    tasks = {unit.task_key for unit in units}
    if len(units) == len(tasks):
        return []
    note = (
        "Counted are {prompts} of {tasks}, because some were asked in several prompt languages; "
        "chance is drawn by task."
    )
    told = counted(len(units), "prompt"), counted(len(tasks), "task")
    return [say(note, prompts=told[0], tasks=told[1])]


def luck_note(results: Results) -> list[str]:
    """The answers whose verdict another hash seed, address or order of tests would change."""
    rounds = results.run.provenance.get("options", {}).get("shake", 0)
    lucky = [
        " ".join((tool, unit.unit.task, unit.unit.prompt_language, str(sample.number)))
        for tool, units in results.scores.items()
        for unit in units
        for sample in unit.samples
        if LUCKY in sample.flags
    ]
    if not rounds:
        return []
    times = counted(rounds, "time")
    if not lucky:
        return [say("No verdict was luck: shaken {times}, none changed.", times=times)]
    return [
        say(
            "Lucky, because other hash seeds, addresses or orders of tests change the verdict "
            "(shaken {times}): {answers} ({named}).",
            times=times,
            answers=counted(len(lucky), "answer"),
            named=some(lucky, 20),
        )
    ]
