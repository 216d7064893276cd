def clamp(x, low, high):
    return max(low, min(x, high))


if __name__ == "__main__":
    print(clamp(1, 2, 3))
