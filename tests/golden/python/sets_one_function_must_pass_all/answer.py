def first(a, b):
    return 3


def second(a, b):
    return 4
