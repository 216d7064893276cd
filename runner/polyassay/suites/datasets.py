"""Where the data that ships with the program is."""

from pathlib import Path

import polyassay


def datasets_folder() -> Path:
    """The folder of the starter suites and the manifests: in the wheel, or in the checkout."""
    package = Path(polyassay.__file__).parent
    inside = package / "_datasets"
    return inside if inside.is_dir() else package.parents[1] / "datasets"
