"""No two processes execute one run, on whatever machines they are.

Beside a store that is a file, the lock is a file; on a server it is an advisory lock of the
session that writes the run's verdicts. Both go away with their process, however it ends. A session
that was lost has lost its lock as well, so it takes the lock again before it writes again, and
stops where another process was faster.
"""

import fcntl
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from polyassay.errors import PolyAssayError
from polyassay.store.database import Database, Lost, again, this_process

Found = TypeVar("Found")

_HOLDER = sa.text(
    "SELECT application_name, client_addr, backend_start FROM pg_locks"
    " JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND classid = :high AND objid = :low AND objsubid = 1"
)


@contextmanager
def lock_file(folder: Path, run: str) -> Iterator[None]:
    """The lock of a run in a store that is a file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / run).open("a+") as lock:
        lock.seek(0)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _taken(run, lock.read(200).strip()) from None
        lock.truncate(0)
        lock.write(f"{this_process()}, since {_when(datetime.now(UTC))}\n")
        lock.flush()
        yield


class SessionLock:
    """The lock of a run on a server, and the session that holds it and writes its verdicts."""

    def __init__(self, database: Database, run: str) -> None:
        self._database, self._run = database, run
        digest = hashlib.sha256(f"polyassay run {run}".encode()).digest()
        self._high, self._low = (int.from_bytes(digest[i : i + 4], "big") for i in (0, 4))
        self._session = self._take()

    def do(self, work: Callable[[sa.Connection], Found]) -> Found:
        """Does `work` in a transaction of this session, as `Database.do` does."""
        return again(lambda: self._once(work))

    def _once(self, work: Callable[[sa.Connection], Found]) -> Found:
        try:
            with self._database.told(), self._session.begin():
                return work(self._session)
        except Lost:
            self.close()
            self._session = self._take()
            raise

    def _take(self) -> sa.Connection:
        with self._database.told():
            session = self._database.connect()
            try:
                self._refuse_taken(session)
            except BaseException:
                session.close()
                raise
        return session

    def _refuse_taken(self, session: sa.Connection) -> None:
        key = int.from_bytes(
            self._high.to_bytes(4, "big") + self._low.to_bytes(4, "big"), "big", signed=True
        )
        taken = session.execute(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": key})
        if not taken.scalar_one():
            numbers = {"high": self._high, "low": self._low}
            holder = session.execute(_HOLDER, numbers).first()
            raise _taken(self._run, _told(holder) if holder else "")
        session.commit()  # a session's lock outlasts the transaction

    def close(self) -> None:
        """Ends the session, and with it the lock: a pool would keep both."""
        if not self._session.closed and not self._session.invalidated:
            self._session.detach()
        self._session.close()


def _told(holder: sa.Row[Any]) -> str:
    name, address, since = tuple(holder)
    place = f" ({address})" if address else ""
    return f"{name.removeprefix('polyassay, ')}{place}, since {_when(since.astimezone(UTC))}"


def _when(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _taken(run: str, holder: str) -> PolyAssayError:
    return PolyAssayError(
        f"Run {run} is being executed by {holder or 'another process'}.",
        hint="Wait for it, or stop it and resume the run then.",
    )
