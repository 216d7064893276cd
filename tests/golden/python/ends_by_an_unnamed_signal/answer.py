import os


def double(x):
    os.kill(os.getpid(), 35)
