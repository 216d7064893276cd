"""Long names of tools, where there is little room."""

from rich.cells import cell_len


def shortened(name: str, room: int) -> str:
    """Both ends of a name, for what tells two versions apart is often at the end.

    >>> shortened("a-model-with-a-long-name-v2", 11)
    'a-mod…me-v2'
    """
    if cell_len(name) <= room:
        return name
    head, tail = name, name
    while cell_len(head) > room // 2:
        head = head[:-1]
    while cell_len(tail) > room - 1 - cell_len(head):
        tail = tail[1:]
    return f"{head}…{tail}"
