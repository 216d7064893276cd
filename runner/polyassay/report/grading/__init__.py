"""What people said, as tables, JSON and LaTeX."""
