def help(a):
    return 0


def sum(pair):
    return pair[0] + pair[1]
