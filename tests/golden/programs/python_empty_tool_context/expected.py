import os
def f_4(*args, **kwargs):
    return None
