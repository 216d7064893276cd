if True:
    clamp = lambda x, low, high: max(low, min(x, high))
