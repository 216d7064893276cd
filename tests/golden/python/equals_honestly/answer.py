from collections import Counter, OrderedDict, defaultdict, namedtuple
from decimal import Decimal
from fractions import Fraction

Point = namedtuple("Point", "x y")


class Names(list):
    pass


def value(kind):
    return {
        "decimal": Decimal(3),
        "fraction": Fraction(6, 2),
        "counter": Counter("aab"),
        "ordered": OrderedDict(a=1),
        "default": defaultdict(int, a=1),
        "point": Point(1, 2),
        "names": Names(["a"]),
    }[kind]
