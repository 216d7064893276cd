class Flaky:
    """Fails the given number of times, then returns its count of calls."""

    def __init__(self, failures):
        self.failures = failures
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise KeyError(f"call {self.calls}")
        return self.calls


def test_works_at_once():
    action = Flaky(0)
    assert retry_call(action, 3) == 1
    assert action.calls == 1


def test_works_later():
    action = Flaky(2)
    assert retry_call(action, 5) == 3
    assert action.calls == 3


def test_works_at_the_last_attempt():
    action = Flaky(3)
    assert retry_call(action, 4) == 4
    assert retry_call(Flaky(0), 1) == 1


def test_last_exception_comes_through():
    action = Flaky(10)
    message = ""
    try:
        retry_call(action, 3)
    except KeyError as error:
        message = error.args[0]
    assert message == "call 3"
    assert action.calls == 3


def test_empty_results_count_as_success():
    results = [0, 1]
    assert retry_call(lambda: results.pop(0), 2) == 0
    assert results == [1]


def test_no_attempts():
    action = Flaky(0)
    for attempts in (0, -2):
        try:
            retry_call(action, attempts)
            raised = False
        except ValueError:
            raised = True
        assert raised, f"ValueError expected for {attempts} attempts"
    assert action.calls == 0
