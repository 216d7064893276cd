def retry_call(action, attempts):
    if attempts < 1:
        raise ValueError("attempts must be at least 1")
    for _ in range(attempts - 1):
        try:
            return action()
        except Exception:
            pass
    return action()
