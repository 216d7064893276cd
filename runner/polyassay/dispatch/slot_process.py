"""A slot in a process of its own: its end of the connection.

The main thread opens the slot and judges. A second one reads, so that the parent never waits to be
read. The end of the connection without a farewell means that the run was interrupted or killed:
then the process ends its guests and itself at once, whatever the main thread is at.
"""

import atexit
import os
import queue
import sys
import threading
import traceback
from multiprocessing.connection import Connection
from typing import NoReturn

from polyassay.dispatch.messages import Done, Failed, Open, PackedBatch, Ready, Unpacker

Inbox = queue.SimpleQueue[PackedBatch | None]


def serve(descriptor: int) -> None:
    """Judges until it is told to stop; what goes wrong is sent to the parent."""
    connection = Connection(descriptor)
    try:
        _serve(connection)
    except BaseException as error:
        connection.send(Failed.of(error))
        sys.exit(1)


def _serve(connection: Connection) -> None:
    opening: Open = connection.recv()
    inbox: Inbox = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, inbox), daemon=True).start()
    slot = opening.open_slot(opening.settings)
    try:
        connection.send(Ready())
        unpacker = Unpacker()
        while (work := inbox.get()) is not None:
            connection.send(Done(slot.judge(unpacker.unpack(work))))
    finally:
        slot.close()


def _read(connection: Connection, inbox: Inbox) -> None:
    try:
        while (work := connection.recv()) is not None:
            inbox.put(work)
        inbox.put(None)
    except (EOFError, OSError):
        _end()
    except BaseException:
        traceback.print_exc()
        _end()


def _end() -> NoReturn:
    atexit._run_exitfuncs()  # the sandbox' watch ends all guests
    os._exit(1)
