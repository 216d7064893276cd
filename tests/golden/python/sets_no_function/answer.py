add = 1
