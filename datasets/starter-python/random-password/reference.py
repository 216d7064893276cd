import random
import string


def random_password(length):
    if length < 3:
        raise ValueError("a password needs at least 3 characters")
    groups = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    characters = [random.choice(group) for group in groups]
    characters += random.choices("".join(groups), k=length - 3)
    random.shuffle(characters)
    return "".join(characters)
