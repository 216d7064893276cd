"""Suites that are translations of others."""
