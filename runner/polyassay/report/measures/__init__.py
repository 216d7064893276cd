"""Measures in tables, JSON, pictures and the report."""
