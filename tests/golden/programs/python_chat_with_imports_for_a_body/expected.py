import math


def area(r):
    x = math.pi * r * r
    return x
