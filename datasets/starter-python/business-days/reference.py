from datetime import date, timedelta


def business_days(start, end, holidays=()):
    day, last = date.fromisoformat(start), date.fromisoformat(end)
    free = {date.fromisoformat(text) for text in holidays}
    count = 0
    while day <= last:
        if day.weekday() < 5 and day not in free:
            count += 1
        day += timedelta(days=1)
    return count
