def f_2(l):
    return max(l)