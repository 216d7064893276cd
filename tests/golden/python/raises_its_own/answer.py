class Locked(Exception):
    code = 7

    def __init__(self, name):
        super().__init__(name)
        self.name = name

    def __str__(self):
        return "locked: " + self.name


class Key:
    def __init__(self, number):
        self.number = number


class Vault:
    def get(self, name):
        raise Locked(name)

    def unlock(self, key):
        raise ValueError("no") from KeyError(key.number)
