"""Adapters of public suites: the files that a publisher ships become tasks."""
