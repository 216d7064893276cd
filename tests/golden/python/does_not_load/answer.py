import no_such_module


def clamp(x, low, high):
    return 1
