import numpy as np


def block_mean(image, size):
    rows, columns = np.shape(image)
    if rows % size or columns % size:
        raise ValueError("the sides of the image must be multiples of size")
    blocks = np.reshape(image, (rows // size, size, columns // size, size))
    return blocks.mean(axis=(1, 3))
