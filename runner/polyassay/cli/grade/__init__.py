"""`polyassay grade`: arguments and exit codes."""
