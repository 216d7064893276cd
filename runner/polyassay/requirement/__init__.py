"""What a library is called, of the way in which a suite asks for it."""

import re
from collections.abc import Iterable


def name_of(requirement: str) -> str:
    """The library's or module's name, without versions, extras and markers.

    >>> name_of("numpy==1.23.5"), name_of("pandas[excel]>=2 ; python_version<'3.12'")
    ('numpy', 'pandas')
    """
    return re.split(r"[\s\[<>=!~;@(]", requirement.strip(), maxsplit=1)[0]


def normal(name: str) -> str:
    """As PEP 503 compares names of libraries.

    >>> normal("Flask_SQLAlchemy"), normal("NumPy")
    ('flask-sqlalchemy', 'numpy')
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def package_of(requirement: str) -> str:
    """The library or top-level module that is meant, spelt so that it can be compared.

    >>> package_of("NumPy>=1.20,<3"), package_of("matplotlib.pyplot")
    ('numpy', 'matplotlib')
    """
    return normal(name_of(requirement).partition(".")[0])


def names_module(libraries: Iterable[str], module: str) -> bool:
    """Whether one of these libraries is called as the module is."""
    return package_of(module) in map(package_of, libraries)
