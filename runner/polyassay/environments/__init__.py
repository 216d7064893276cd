"""Libraries that suites need: interpreters that have them, and jars."""
