def rotate_ring(items, steps):
    if items:
        steps %= len(items)
        items[:] = items[steps:] + items[:steps]
