"""Answers from tools that edit files: projects for an editor, workspaces for an agent."""
