import os
import signal
import subprocess
import time


def heard():
    got = []
    signal.signal(signal.SIGUSR1, lambda number, frame: got.append(number))
    os.kill(os.getpid(), signal.SIGUSR1)
    return len(got)


def status_of_fork(number):
    pid = os.fork()
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    os.kill(pid, number)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def status_of_program(number):
    process = subprocess.Popen(["sleep", "30"])
    process.send_signal(number)
    return process.wait()


def call(name, *arguments):
    return globals()[name](*arguments)
