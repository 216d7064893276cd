def f_3(l):
    if not l:
        return None
    return max(l)
