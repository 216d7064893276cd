class Stack:
    def push(self, x):
        self.top = x
