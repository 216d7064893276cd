"""The trust card of a suite."""
