"""How far a suite's tests can be trusted: what is measured about them, and what is kept of that."""
