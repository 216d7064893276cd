"""Readability signals: what can be counted in an answer without running or comparing it."""
