class P:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other

    def __hash__(self):
        return hash(self.v)


class M:
    def __init__(self, v):
        self.v = v

    def half(self):
        return P(self.v // 2)

    def itself(self):
        return self

    def __eq__(self, other):
        return self.v == (other.v if isinstance(other, M) else other)

    def __contains__(self, v):
        return v <= self.v

    def __sub__(self, v):
        return self.v - v
