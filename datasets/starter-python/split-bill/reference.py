from decimal import Decimal


def split_bill(total, people):
    if people < 1:
        raise ValueError("people must be at least 1")
    share, left = divmod(int(Decimal(total) * 100), people)
    cents = [share + 1] * left + [share] * (people - left)
    return [f"{Decimal(amount) / 100:.2f}" for amount in cents]
