"""People's scores: rubrics, what a grader sees and in which order, and how far graders agree."""
