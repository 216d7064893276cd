"""Scripts that run in the sandbox with any interpreter: standard library only, Python 3.9."""
