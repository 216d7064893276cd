"""Verdicts become numbers here; pure functions, seeded where they draw."""
