"""One-to-many tasks from plain ones, as the authors of MBUPP made them; a person decides."""
