import os
import signal

WAYS = {
    1: lambda: os.kill(os.getpid(), signal.SIGKILL),
    2: lambda: signal.raise_signal(signal.SIGTERM),
    3: lambda: os.kill(0, signal.SIGSEGV),
    4: lambda: signal.pidfd_send_signal(os.pidfd_open(os.getpid()), signal.SIGKILL),
}


def double(x):
    WAYS[x]()
    return 2 * x
