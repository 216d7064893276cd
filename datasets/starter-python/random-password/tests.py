LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGITS = "0123456789"


def test_length_and_characters():
    for length in (3, 4, 8, 40):
        password = random_password(length)
        assert len(password) == length
        assert set(password) <= set(LOWER + UPPER + DIGITS)


def test_every_group_is_present():
    for _ in range(200):
        password = set(random_password(3))
        assert password & set(LOWER)
        assert password & set(UPPER)
        assert password & set(DIGITS)


def test_groups_at_random_places():
    firsts = {random_password(5)[0] for _ in range(300)}
    lasts = {random_password(5)[-1] for _ in range(300)}
    for places in (firsts, lasts):
        assert places & set(LOWER)
        assert places & set(UPPER)
        assert places & set(DIGITS)


def test_all_characters_are_used():
    used = set()
    for _ in range(100):
        used.update(random_password(100))
    assert used == set(LOWER + UPPER + DIGITS)


def test_passwords_differ():
    assert len({random_password(12) for _ in range(100)}) == 100


def test_too_short():
    for length in (2, 0, -1):
        try:
            random_password(length)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for a length of {length}"
