def clamp(x, low, high):
    """Clamps.

    ```python
    clamp(1, 2, 3)
    ```
    """
    return max(low, min(x, high))
