"""Notebooks: contexts that are forked, the cell of a candidate, and a real kernel as reference."""
