class Vector:
    def __init__(self, *parts):
        self.parts = parts

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self.parts, other.parts)))

    def __mul__(self, factor):
        return Vector(*(factor * part for part in self.parts))

    __rmul__ = __mul__

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return sum(self.parts) < sum(other.parts)
