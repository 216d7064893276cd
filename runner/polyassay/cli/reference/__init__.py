"""Commands that describe the others: completion for shells, man pages, schemas of files."""

COMPLETING = "_POLYASSAY_COMPLETE"  # in the environment while a shell asks for completions
