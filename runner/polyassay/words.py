"""Small wordings that every part shares."""


def counted(count: int, what: str, plural: str = "") -> str:
    """1 task, 2 tasks, 1,100 tasks; 2 libraries where the plural is told."""
    return f"{count:,} {what if count == 1 else plural or what + 's'}"
