"""Whether figures of two runs mean the same thing."""

import hashlib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polyassay import rules
from polyassay.errors import PolyAssayError
from polyassay.store import Run
from polyassay.texts import say
from polyassay.wording import counted

# What goes without saying, where a title has little room.
USUAL = {
    "rules": rules.told(rules.RULES),
    "totals": "totals by the tests",
    "tests": "all tests of a task",
    "comparison": "the default comparison of outputs",
    "environment": "no environment of its own",
    "engine": "the engine worker",
    "judging": "judging apart wherever it can",
    "tries": "one try",
}
_TRIES = re.compile(r"[\[,]tries:(\d+)[],]")  # of a tool's name, as in gpt[tries:2]


def conditions(run: Run, suite: str) -> dict[str, str]:
    """What must be equal for two runs' figures on a suite to be ranked together."""
    facts = run.provenance["suites"][suite]
    options = run.provenance.get("options", {})
    timeout, limit = options.get("timeout"), options.get("limit")
    engine = run.provenance.get("engine") or options.get("engine", "worker")
    return {
        "rules": rules.told(rules.rules_of(run.provenance)),
        "version": _version(facts.get("version", ""), facts["checksum"]),
        "timeout": f"{timeout:g} s a test" if timeout else "the suite's time limits",
        "limit": f"the first {counted(limit, 'task')}" if limit else _tasks(options, suite),
        "tests": _tests(options),
        "totals": "the publisher's totals" if options.get("published_totals") else USUAL["totals"],
        "comparison": f"the {options.get('comparison', 'default')} comparison of outputs",
        "environment": _environment(run.provenance.get("environments", {}).get(suite)),
        "interpreter": run.provenance.get("interpreters", {}).get(suite, "no Python"),
        "engine": f"the engine {engine}",
        "judging": "judging together throughout"
        if run.provenance.get("judging") == "together"
        else USUAL["judging"],
    }


def tries_of(tool: str) -> str:
    """Further tries are made with the tests' output, so they are a protocol of their own."""
    found = _TRIES.search(tool)
    return f"{found[1]} tries, with the tests' output" if found else USUAL["tries"]


def tries_remark(tools: Sequence[str]) -> list[str]:
    """That tools had other numbers of tries, if they had: no question of which tool is better."""
    seen = {tool: tries_of(tool) for tool in tools}
    if len(set(seen.values())) < 2:
        return []
    told = say("; ").join(
        say("{tool} had {count} tries, with the tests' output", tool=tool, count=found[1])
        if (found := _TRIES.search(tool))
        else say("{tool} had one try", tool=tool)
        for tool in seen
    )
    return [say("Not the same protocol: {told}.", told=told)]


def _tasks(options: Mapping[str, Any], suite: str) -> str:
    """How many were chosen, and a short name for which."""
    chosen = sorted(task for name, task in options.get("tasks", ()) if name == suite)
    if not chosen:
        return "all tasks"
    name = hashlib.sha256("\n".join(chosen).encode()).hexdigest()[:8]
    return f"{counted(len(chosen), 'chosen task')} ({name})"


def command_for(run: Run, suite: str) -> str:
    """What judges other answers under the same conditions, as far as flags decide them."""
    parts = ["polyassay", "run", "-s", suite, "-c", "TOOL=answers.jsonl"]
    return shlex.join([*parts, *_flags(run, suite)])


def _flags(run: Run, suite: str) -> Iterator[str]:
    options = run.provenance.get("options", {})
    for name in ("timeout", "limit", "eval_tests", "hold_out"):
        if value := options.get(name):
            shown = f"{value:g}" if name == "timeout" else str(value)
            yield from (f"--{name.replace('_', '-')}", shown)
    if (options.get("eval_tests") or options.get("hold_out")) and options.get("test_seed"):
        yield from ("--seed", str(options["test_seed"]))
    for name, usual in (("comparison", "default"), ("engine", "worker")):
        if (value := options.get(name, usual)) != usual:
            yield from (f"--{name}", str(value))
    if run.provenance.get("judging") == "together":
        yield from ("--judge", "together")
    if options.get("published_totals"):
        yield "--published-totals"
    for name, task in options.get("tasks", ()):
        if name == suite:
            yield from ("--task", task)


def _version(version: str, checksum: str) -> str:
    """With the checksum's beginning, which is the version where the publisher has none."""
    short = checksum[:8]
    return f"version {version}" if version == short else f"version {version} ({short})"


def _tests(options: Mapping[str, Any]) -> str:
    parts = []
    if count := options.get("eval_tests"):
        parts.append(f"{counted(count, 'drawn test')} a task")
    if count := options.get("hold_out"):
        parts.append(f"all tests but {count} that prompts showed")
    if not parts:
        return USUAL["tests"]
    return f"{' of '.join(parts)} (seed {options.get('test_seed', 0)})"


def _environment(facts: Mapping[str, Any] | None) -> str:
    """Its set, and a short name for its pins, which are too many to list."""
    if facts is None:
        return USUAL["environment"]
    pins = hashlib.sha256("\n".join(sorted(facts["pins"])).encode()).hexdigest()[:8]
    return f"the environment {facts['set']} ({pins})"


def in_short(under: Mapping[str, str]) -> list[str]:
    """Conditions for a title: those that are the usual ones go without saying."""
    return [
        told
        for name, told in under.items()
        if told != USUAL.get(name) and name != "interpreter"  # too long, and mostly the same
    ]


def differences(first: Run, second: Run, suite: str, besides: tuple[str, ...] = ()) -> list[str]:
    """What differs, in words; empty where the two are comparable."""
    a, b = conditions(first, suite), conditions(second, suite)
    return [
        f"{first.id} has {a[name]}, {second.id} {b[name]}"
        for name in a
        if name not in besides and a[name] != b[name]
    ]


def refuse_unlike(first: Run, second: Run) -> None:
    """Across runs: the same suites, judged in the same way, under the same rules."""
    versions = {one.id: rules.rules_of(one.provenance) for one in (first, second)}
    if len(set(versions.values())) > 1:
        older = min(versions, key=lambda name: versions[name])
        raise PolyAssayError(
            f"Runs {first.id} and {second.id} were judged under other rules: "
            f"{', '.join(rules.told(version) for version in versions.values())}.",
            hint=rules.judge_again(older, versions[older]),
        )
    shared = [name for name in first.provenance["suites"] if name in second.provenance["suites"]]
    for suite in shared:
        # Another number of tasks does no harm: only tasks that both have are compared.
        if reasons := differences(first, second, suite, besides=("limit",)):
            raise PolyAssayError(
                f"The runs cannot be compared on {suite}: {'; '.join(reasons)}.",
                hint="Run both on the same suite with the same options and libraries.",
            )
