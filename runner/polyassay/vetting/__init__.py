"""What is found out about a suite's tests without any candidate."""
