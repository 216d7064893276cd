def count_up(start):
    while True:
        got = yield start
        start = (start if got is None else got) + 1
