def largest_gap(numbers):
    ordered = sorted(numbers)
    return max(high - low for low, high in zip(ordered, ordered[1:]))
