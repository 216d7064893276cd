"""The interpreter that has imported a suite's libraries, and forks for each candidate."""
