import sys

sys.stdout.write(sys.stdin.read().replace("b", "c"))
