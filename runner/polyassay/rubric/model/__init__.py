"""A model as a grader: asked by the same rubric, kept as a grader of another kind."""
