def clamp(x, low, high):
    if x < low:
        return low
    return min(x, high)
