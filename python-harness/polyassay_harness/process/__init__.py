"""Helpers of several processes: limits, forks, folders, confinement, and how a process ended."""
