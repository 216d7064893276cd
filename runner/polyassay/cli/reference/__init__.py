"""Commands that describe the others: completion for shells, man pages, schemas of files."""
