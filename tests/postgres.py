"""A PostgreSQL server of our own: made in a temporary folder, on a socket there, and stopped."""

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import sqlalchemy as sa

import real_parts

_NUMBERS = count()
USER = "polyassay"


class Server:
    """Its databases are new and empty; it refuses root, so root runs it as another user."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._programs = folder, real_parts.postgresql_programs()
        self._user = "nobody" if os.geteuid() == 0 else None
        self._data = folder / "data"

    def make(self) -> None:
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self._call("initdb", "--no-sync", "--auth=trust", f"--username={USER}", "--encoding=UTF8")

    def start(self) -> None:
        # Nothing is fsynced: these tests kill clients and servers, not the machine.
        flags = f"-k {self.folder} -c listen_addresses= -c fsync=off -c max_connections=50"
        self._call("pg_ctl", "--wait", f"--log={self.folder}/log", f"--options={flags}", "start")

    def stop(self, mode: str = "fast") -> None:
        self._call("pg_ctl", "--wait", f"--mode={mode}", "stop")

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"store{next(_NUMBERS)}"
        engine = sa.create_engine(self.address("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        engine.dispose()
        return self.address(name)

    def address(self, database: str) -> str:
        return f"postgresql+psycopg://{USER}@/{database}?host={self.folder}"

    def _call(self, program: str, *arguments: str) -> None:
        environment = os.environ | {"LC_ALL": "en_US.UTF-8" if _has_english() else "C.UTF-8"}
        done = subprocess.run(
            [str(self._programs / program), f"--pgdata={self._data}", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
            user=self._user,
            group=pwd.getpwnam(self._user).pw_gid if self._user else None,
            extra_groups=[] if self._user else None,
            cwd=self.folder,
            env=environment,
        )
        assert done.returncode == 0, done.stdout


def _has_english() -> bool:
    """A locale that orders text otherwise than by its characters' numbers shows more."""
    found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    return "en_US.utf8" in found.stdout


@contextmanager
def running() -> Iterator[Server]:
    """A server in a folder of its own; pytest's folders are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="polyassay-postgresql-") as folder:
        server = Server(Path(folder))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
