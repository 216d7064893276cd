"""References that are changed in one place, so that tests can be seen to notice."""
