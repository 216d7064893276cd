def clip(x, low, high):
    return 1
