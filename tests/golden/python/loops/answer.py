def clamp(x, low, high):
    while x == 5:
        pass
    return 0
