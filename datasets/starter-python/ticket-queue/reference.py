import heapq


class TicketQueue:
    def __init__(self):
        self._last = 0
        self._heap = []
        self._names = {}

    def add(self, name, priority):
        self._last += 1
        self._names[self._last] = name
        heapq.heappush(self._heap, (priority, self._last))
        return self._last

    def next(self):
        while self._heap:
            _, ticket = heapq.heappop(self._heap)
            if ticket in self._names:
                return self._names.pop(ticket)
        raise IndexError("nobody is waiting")

    def cancel(self, ticket):
        return self._names.pop(ticket, None) is not None

    def __len__(self):
        return len(self._names)
