def clamp(value, low, high):
    if value < low:
        raise ValueError("too low (at line 3 of the test)")
    return value
