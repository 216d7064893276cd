"""A store that several processes use, or that one is killed over."""

import os
import sqlite3
from pathlib import Path

from polyassay.store import Store
from unit.test_store import started, verdict


def test_a_committed_verdict_survives_a_kill(tmp_path: Path) -> None:
    home = tmp_path / ".polyassay"
    run = started(Store.at(home))
    child = os.fork()
    if child == 0:  # the child dies without closing anything
        Store.at(home).save_verdicts(run, [verdict()])
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    rows = sqlite3.connect(home / "store.sqlite").execute("SELECT outcome FROM verdicts").fetchall()
    assert rows == [("passed",)]


def test_several_processes_may_make_a_store_at_once(tmp_path: Path) -> None:
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            try:
                Store.at(tmp_path / ".polyassay")
            except BaseException:  # a child of fork must not run pytest's own ending
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
