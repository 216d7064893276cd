"""What comes out of grading: which tool is better, and which graders can be trusted."""
