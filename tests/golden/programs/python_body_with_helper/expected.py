def evens(n):
    def even(x):
        return x % 2 == 0
    return [x for x in range(n) if even(x)]
