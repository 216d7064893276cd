class Guard:
    def __init__(self, *kinds):
        self.kinds = kinds
        self.seen = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.seen = kind.__name__
            return issubclass(kind, self.kinds)
