"""Makes the client of a tool's via."""

import importlib
from collections.abc import Callable
from typing import cast

from polyassay.errors import PolyAssayError
from polyassay.generate.replies import Client
from polyassay.generate.tools import VIAS, Tool


def client_for(tool: Tool) -> Client:
    place = VIAS[tool.via].client
    if not place:
        raise PolyAssayError(
            f'The tool "{tool.name}" has its answers in files and cannot be asked.',
            f"run them: `polyassay run -s SUITE -c {tool.name}=PATH`.",
        )
    module, _, name = place.partition(":")
    make = cast(Callable[[Tool], Client], getattr(importlib.import_module(module), name))
    return make(tool)
