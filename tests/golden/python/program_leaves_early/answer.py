import os

os.write(1, b"a\nb\n")
os._exit(0)
