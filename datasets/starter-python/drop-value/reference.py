def drop_value(items, value):
    return [item for item in items if item != value]
