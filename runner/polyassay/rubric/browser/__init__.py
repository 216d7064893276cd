"""The browser's form of a grading session: one page, drawn from a room or from a packed file."""
