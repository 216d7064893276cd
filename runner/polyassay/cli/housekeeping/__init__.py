"""Commands that look after what is kept: runs and suites."""
