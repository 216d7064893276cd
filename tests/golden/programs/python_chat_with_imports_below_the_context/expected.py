from typing import Any


import numpy as np


import math
from typing import Any
def double(x):
    return math.fsum([x, x])


def area(r: Any):
    return np.pi * double(r) * r / 2
