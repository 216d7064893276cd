"""Suites written by hand: JSONL files, folders and notebooks."""
