"""Suites of programming contests, by their published forms."""
