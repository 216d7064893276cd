"""PolyAssay: which code-generation tool is better, and how sure that is."""

__version__ = "0.2.0.dev0"
