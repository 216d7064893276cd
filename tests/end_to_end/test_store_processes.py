"""A store that several processes use, or that one is killed over."""

import os

import sqlalchemy as sa

from polyassay.store import Store
from unit.test_store import started, verdict


def test_a_committed_verdict_survives_a_kill(either_store: str) -> None:
    opened = Store.open(either_store)
    run = started(opened)
    opened.close()  # no connection is shared with the child
    child = os.fork()
    if child == 0:  # the child dies without closing anything
        Store.open(either_store).save_verdicts(run, [verdict()])
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    with sa.create_engine(either_store).connect() as connection:
        found = connection.execute(sa.text("SELECT outcome FROM verdicts")).scalars().all()
    assert found == ["passed"]


def test_several_processes_may_make_a_store_at_once(either_store: str) -> None:
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            try:
                Store.open(either_store)
            except BaseException:  # a child of fork must not run pytest's own ending
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4


def test_runs_that_are_begun_at_once_have_different_numbers(either_store: str) -> None:
    Store.open(either_store).close()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            try:
                store = Store.open(either_store)
                for _ in range(5):
                    started(store)
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    runs = Store.open(either_store).runs()
    assert [run.number for run in runs] == list(range(20, 0, -1))
    assert len({run.id for run in runs}) == 20
