"""Notebook cells, judged by their output."""
