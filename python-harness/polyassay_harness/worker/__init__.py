"""The process that holds a candidate: loads it, and calls it or tests it."""
