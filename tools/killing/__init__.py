"""What `tools/kills` is made of: the processes that it kills, and what they are given to do."""
