def clamp_value(x, low, high):
    return max(low, min(x, high))
