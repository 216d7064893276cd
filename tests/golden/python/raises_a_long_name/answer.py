def double(x):
    if x == 1:
        raise type("E" * 500_000, (Exception,), {})
    raise SyntaxError("e" * 500_000)
