"""What was run, with which versions, on which machine."""

from polyassay.measures.results import Results
from polyassay.texts import say
from polyassay.wording import counted


def suites_told(results: Results) -> str:
    """Their names, with how much of each was run where that is not all of it."""
    suites = results.run.provenance["suites"]
    parts = {name: _part_of(results, name) for name in suites}
    return ", ".join(f"{name} ({part})" if part else name for name, part in parts.items())


def _part_of(results: Results, suite: str) -> str:
    """What --limit let through, such as the first 4 of 30 tasks; empty where that is all."""
    limit = results.run.provenance.get("options", {}).get("limit")
    tasks = results.run.provenance["suites"][suite].get("tasks", 0)
    if not limit or limit >= tasks:
        return ""
    return say("the first {limit} of {tasks} tasks", limit=limit, tasks=tasks)


def provenance(results: Results) -> list[tuple[str, str]]:
    facts = results.run.provenance
    suites = [
        (say("suite {name}", name=name), " · ".join(filter(None, said)))
        for name, of in facts["suites"].items()
        for said in [(of.get("version"), of["checksum"][:12], _part_of(results, name))]
    ]
    versions = [(name, str(version)) for name, version in facts.get("versions", {}).items()]
    plain = [
        (say(name), str(facts[name]))
        for name in ("engine", "judging", "sandbox", "reuse", "revision")
        if facts.get(name)
    ]
    machine = " · ".join(
        counted(value, "core") if name == "cores" else str(value)
        for name, value in facts.get("machine", {}).items()
    )
    time = say("{time} UTC", time=results.run.created[:19].replace("T", " "))
    started = [(say("run"), results.run.id), (say("started"), time)]
    return [*started, *suites, *plain, *versions, (say("machine"), machine)]
