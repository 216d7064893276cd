"""A run's verdicts for other programs."""
