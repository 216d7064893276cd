def clamp(x, low, high):
    return min(x, high)
