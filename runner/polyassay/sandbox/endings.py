"""Why a guest is no more."""


class Ended(Exception):
    """The guest is gone, broke the frame protocol, or passed a limit; it has been killed."""

    def __init__(
        self,
        why: str,
        *,
        timed_out: bool = False,
        out_of_memory: bool = False,
        idled: bool = False,
        killed: bool = False,
    ) -> None:
        super().__init__(why)
        self.timed_out = timed_out
        self.out_of_memory = out_of_memory
        self.idled = idled  # wall time ended it, not CPU time
        self.killed = killed  # by a signal, and for no limit: something else may have done that


class NotStarted(Exception):
    """The sandbox itself could not be set up: never the guest's fault."""


class Starved(Exception):
    """The machine kept a guest from answering, so it was killed: the guest is not to blame."""
