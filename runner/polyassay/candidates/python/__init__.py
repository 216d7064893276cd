"""From an answer to a Python program."""
