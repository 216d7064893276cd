"""Runs hostile candidates through the real command line and checks what they could do."""
