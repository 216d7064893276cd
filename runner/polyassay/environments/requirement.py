"""What a library is called, of the way in which a suite asks for it."""

import re


def name_of(requirement: str) -> str:
    """The library's or module's name, without versions, extras and markers.

    >>> name_of("numpy==1.23.5"), name_of("pandas[excel]>=2 ; python_version<'3.12'")
    ('numpy', 'pandas')
    """
    return re.split(r"[\s\[<>=!~;@(]", requirement.strip(), maxsplit=1)[0]
