import time

while time.process_time() < 4:
    pass


def double(x):
    return 2 * x
