"""A grader at work, whatever draws it: the keys, the words, and what is in view."""
