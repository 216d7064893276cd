from fractions import Fraction


def scale_amount(amount, factor):
    product = Fraction(1)
    for text in (amount, factor):
        product *= sum(Fraction(part) for part in text.split())
    whole, rest = divmod(product.numerator, product.denominator)
    if not rest:
        return str(whole)
    fraction = f"{rest}/{product.denominator}"
    return f"{whole} {fraction}" if whole else fraction
