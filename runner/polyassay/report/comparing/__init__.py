"""Tools against each other, as people and programs read it."""
