"""The first process of a candidate's namespaces, which starts, limits and ends the others."""
