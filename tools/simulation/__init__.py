"""Simulated tools with known truth, and how often the statistics are right about them."""
