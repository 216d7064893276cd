"""`polyassay collect`: answers from tools that live in an editor, or that edit files."""
