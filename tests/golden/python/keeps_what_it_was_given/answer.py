class Shelf:
    def __init__(self, start):
        self._counts = start
        self._names = list(start)

    def __len__(self):
        return len(self._counts)

    def names(self):
        return self._names

    def put(self, name):
        self._names.append(name)
        return self
