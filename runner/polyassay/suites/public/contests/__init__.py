"""Suites of programming contests; their data cannot be had here, so they follow published forms."""
