"""Makes a Python program of an answer."""
