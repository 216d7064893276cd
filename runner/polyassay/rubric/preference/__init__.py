"""Two answers side by side: which of them a grader prefers."""
