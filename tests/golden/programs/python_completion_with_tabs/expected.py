def f_1(l):
    return [
        x for x in l]
    return 0