import time


def clamp(x, low, high):
    time.sleep(60)
