def test_ticket_numbers():
    queue = TicketQueue()
    assert [queue.add("a", 5), queue.add("b", 1), queue.add("a", 5)] == [1, 2, 3]


def test_priority_order():
    queue = TicketQueue()
    queue.add("low", 9)
    queue.add("high", 1)
    queue.add("middle", 5)
    assert [queue.next(), queue.next(), queue.next()] == ["high", "middle", "low"]


def test_first_come_on_a_tie():
    queue = TicketQueue()
    for name in ("zoe", "adam", "mia"):
        queue.add(name, 2)
    assert [queue.next(), queue.next(), queue.next()] == ["zoe", "adam", "mia"]


def test_cancel():
    queue = TicketQueue()
    first = queue.add("ann", 1)
    queue.add("bob", 2)
    assert queue.cancel(first) is True
    assert queue.cancel(first) is False
    assert queue.cancel(99) is False
    assert queue.next() == "bob"


def test_served_ticket_cannot_be_cancelled():
    queue = TicketQueue()
    ticket = queue.add("ann", 1)
    assert queue.next() == "ann"
    assert queue.cancel(ticket) is False


def test_length():
    queue = TicketQueue()
    assert len(queue) == 0
    queue.add("ann", 1)
    ticket = queue.add("bob", 2)
    assert len(queue) == 2
    queue.cancel(ticket)
    assert len(queue) == 1
    queue.next()
    assert len(queue) == 0


def test_empty_queue():
    queue = TicketQueue()
    queue.cancel(queue.add("ann", 1))
    try:
        queue.next()
        raised = False
    except IndexError:
        raised = True
    assert raised, "IndexError expected from an empty queue"


def test_numbers_are_not_used_again():
    queue = TicketQueue()
    queue.cancel(queue.add("ann", 1))
    queue.add("bob", 1)
    queue.next()
    assert queue.add("cy", 1) == 3
