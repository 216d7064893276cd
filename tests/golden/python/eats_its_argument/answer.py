def rotate(items):
    while items[0] != "there is none":
        items += items
