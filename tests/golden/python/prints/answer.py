print("loading")


def value():
    print("called")
    return 1
