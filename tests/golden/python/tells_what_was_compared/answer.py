class Tally:
    def __init__(self):
        self.count = -1

    def add(self):
        self.count += 1
        return self.count
