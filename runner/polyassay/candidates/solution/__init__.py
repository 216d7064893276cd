"""Answers to tasks that name their solution files: from a chat, a folder or files to a program."""
