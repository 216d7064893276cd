"""Where the Java harness' jars are; shared by what compiles, judges and reads Java."""

from pathlib import Path

from polyassay.errors import PolyAssayError


def find_jars() -> Path:
    """The folder of the harness' jars: in the wheel, or as Gradle built it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_java", package.parent.parent / "java-harness" / "build" / "dist"):
        if (folder / "polyassay-harness.jar").is_file():
            return folder
    raise PolyAssayError(
        "The Java harness is not built.",
        hint="Run `tools/setup`, or `gradle :java-harness:dist` in the checkout.",
    )
