"""`polyassay suites` and its commands."""
