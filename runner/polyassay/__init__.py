"""PolyAssay: which code-generation tool is better, and how sure that is."""

__version__ = "0.1.0"
