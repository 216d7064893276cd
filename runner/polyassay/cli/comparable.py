"""Whether figures of two runs mean the same thing."""

from polyassay.store import Run


def conditions(run: Run, suite: str) -> dict[str, str]:
    """What must be equal for two runs' figures on a suite to be ranked together."""
    facts = run.provenance["suites"][suite]
    options = run.provenance.get("options", {})
    timeout, limit = options.get("timeout"), options.get("limit")
    return {
        "version": f"version {facts.get('version', '')} ({facts['checksum'][:8]})",
        "timeout": f"{timeout:g} s a test" if timeout else "the suite's time limits",
        "limit": f"the first {limit} tasks" if limit else "all tasks",
    }


def unlike(first: Run, second: Run, suite: str, besides: tuple[str, ...] = ()) -> list[str]:
    """What differs, in words; empty where the two are comparable."""
    a, b = conditions(first, suite), conditions(second, suite)
    return [
        f"{first.id} has {a[name]}, {second.id} {b[name]}"
        for name in a
        if name not in besides and a[name] != b[name]
    ]
