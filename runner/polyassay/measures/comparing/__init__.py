"""Tools against each other, and groups of tasks within a tool; always on the same units."""
