class Tag:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == getattr(other, "number", other)

    def __hash__(self):
        return 1

    def __contains__(self, number):
        return number < self.number

    @property
    def self(self):
        return self

    def later(self):
        return {Tag(self.number + 1), Tag(self.number + 2)}
