"""Python answers, judged in forks of warm, sandboxed interpreters."""
