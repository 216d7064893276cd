"""Surface metrics: how much an answer's text is like a reference's, in two flavours.

`published` is what ODEX's and ExeDS' own code computes, oddities included; `standard` is what
well-kept libraries and the metrics' papers say. docs/measures.md has the differences.
"""
