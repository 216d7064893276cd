"""Syntax trees of answers and references: subtrees that match, and how data flows."""
