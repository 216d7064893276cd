"""Suites with code between given lines, without an entry function."""
