"""The commands of `polyassay grade` that give answers."""
