class Bus:
    def __init__(self):
        self._listeners = []

    def on(self, listener):
        self._listeners.append(listener)

    def off(self, listener):
        self._listeners.remove(listener)

    def emit(self, value):
        return [listener(value) for listener in self._listeners]

    def count(self):
        return len(self._listeners)

    def quietly(self, value):
        self.emit(value)
