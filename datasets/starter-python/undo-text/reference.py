class UndoText:
    def __init__(self):
        self._text = ""
        self._past = []
        self._future = []

    def _edit(self, text):
        self._past.append(self._text)
        self._future.clear()
        self._text = text

    def append(self, part):
        self._edit(self._text + part)

    def delete(self, count):
        self._edit(self._text[: max(len(self._text) - count, 0)])

    def text(self):
        return self._text

    def undo(self):
        if not self._past:
            return False
        self._future.append(self._text)
        self._text = self._past.pop()
        return True

    def redo(self):
        if not self._future:
            return False
        self._past.append(self._text)
        self._text = self._future.pop()
        return True
