"""Which sandbox a run uses."""

from polyassay.errors import PolyAssayError
from polyassay.sandbox import Box, BoxLimits, Ended, NotStarted, Sandbox
from polyassay.sandbox.bubblewrap import Bubblewrap
from polyassay.sandbox.none import NoSandbox

NAMES = ("auto", "bubblewrap", "docker", "none")


def find(name: str = "auto", trusted: bool = False) -> Sandbox:
    """The sandbox of that name, if it works here; "auto" is the strongest that needs no setting up.

    There is no silent way to a weaker one: running without a sandbox takes both its name and the
    user's word that the code is trusted.
    """
    if name == "none":
        if not trusted:
            raise PolyAssayError(
                "Without a sandbox, candidates can do whatever you can.",
                hint="If you know who wrote all of them, add --i-trust-this-code.",
            )
        return NoSandbox()
    if name not in NAMES:
        raise PolyAssayError(
            f'There is no sandbox "{name}".', hint=f"Choose one of {', '.join(NAMES)}."
        )
    sandbox: Sandbox
    if name == "docker":
        from polyassay.sandbox.docker import Docker  # slow to import

        sandbox = Docker()
    else:
        sandbox = Bubblewrap()
    prove(sandbox)
    return sandbox


def prove(sandbox: Sandbox) -> None:
    """Runs something in the sandbox, because whether it works cannot be told by looking."""
    box = Box(
        ("/bin/sh", "-c", r"printf '\000\000\000\002up'; read x"), limits=BoxLimits(memory_mb=64)
    )
    try:
        guest = sandbox.start(box)
        try:
            guest.receive(30)
        finally:
            guest.close()
    except (NotStarted, Ended) as error:
        raise PolyAssayError(
            f"The sandbox {sandbox.name} does not work here: {error}.",
            hint="`polyassay doctor` says what is missing; --sandbox docker is another way.",
        ) from error
