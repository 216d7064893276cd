import atexit
import sys

if __name__ == "__main__":
    text = sys.stdin.read()
    atexit.register(sys.stdout.write, text)
    sys.exit()
