"""Runs JUnit's console launcher for one candidate of the Gradle engine, under its limits.

Gradle starts this inside of the sandbox, as a script of its own. JUnit writes each event as it
happens, so a process that ended early still shows how far it got; the tests that are left then run
in another process. Usage: console.py CANDIDATE_FOLDER RESULTS_FOLDER TESTS CLASSPATH
"""

import ctypes
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

REPORT = "open-test-report.xml"
STARTED = re.compile(r'^<e:started id="(\d+)".*<java:methodSource [^>]*methodName="([^"]+)"')
FINISHED = re.compile(r'^<e:finished id="(\d+)"')
WHOLE = (b"</e:started>", b"</e:finished>", b"</e:events>")
OUT_OF_MEMORY = '<java:throwable assertionError="false" type="java.lang.OutOfMemoryError">'
HEAP_MESSAGE = re.compile(rb'^Exception in thread "main" java\.lang\.OutOfMemoryError\b', re.M)
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
PAUSE_MS = 20
TAIL = 16 << 10
LOOK_SECONDS = 0.5  # between two looks at the time that all tests have together
START_CPU_SECONDS = 20.0  # the JVM's own, before the first event
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


class TestsEnding(NamedTuple):
    kind: str  # timed_out, out_of_memory, crashed; empty: it ran to its end
    why: str = ""
    idled: bool = False  # wall time ended it


class Events:
    """The lines of JUnit's report as they are written."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._size = 0
        self._names: Dict[str, str] = {}
        self.finished: List[str] = []
        self.running = ""
        self.complete = False
        self.heap_was_full = False

    def look(self) -> bool:
        """Whether anything happened since the last look."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._size)
                new = file.read()
        except OSError:
            return False
        # JUnit ends a line only when it begins the next.
        end = len(new) if new.endswith(WHOLE) else new.rfind(b"\n") + 1
        self._size += end
        for line in new[:end].decode("utf-8", "replace").split("\n"):
            self._note(line)
        return end > 0

    def _note(self, line: str) -> None:
        started, ended = STARTED.match(line), FINISHED.match(line)
        if started:
            self._names[started[1]] = self.running = started[2]
        elif ended and ended[1] in self._names:
            self.finished.append(self._names[ended[1]])
            self.running = ""
        self.heap_was_full = self.heap_was_full or OUT_OF_MEMORY in line
        self.complete = self.complete or line.endswith("</e:events>")


class Output:
    """What the candidate prints: all of it is read, and its beginning kept."""

    def __init__(self, descriptor: int, limit: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._limit = limit
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self.kept = b""
        self.tail = b""

    def wait(self) -> None:
        """Takes what is there; returns soon in any case."""
        if self._poll.poll(PAUSE_MS):
            self.take()

    def take(self) -> None:
        try:
            new = os.read(self._descriptor, 1 << 16)
        except BlockingIOError:
            return
        if not new:
            time.sleep(PAUSE_MS / 1000)
        self.kept += new[: self._limit - len(self.kept)]
        self.tail = (self.tail + new)[-TAIL:]

    def text(self) -> str:
        """Without the summary that the launcher prints below it."""
        printed = self.kept.decode("utf-8", "replace")
        own, summary, _ = printed.rpartition("\nFailures (")
        return own if summary else printed


def run(folder: str, results: str, tests: str, classpath: str) -> Dict[str, Any]:
    """All tests, in as many processes as it takes."""
    with open(os.path.join(folder, "console.json"), encoding="utf-8") as file:
        task = json.load(file)
    sys.path.insert(0, task["harness"])
    from polyassay_harness.process.budget import Budget  # one rule for all engines

    budget = Budget(task["total_seconds"])
    done: List[str] = []
    attempts: List[Dict[str, Any]] = []
    output = ""
    while True:
        place = os.path.join(results, str(len(attempts)))
        left = [name for name in task["names"] if name not in done]
        attempt, events, printed = _attempt(task, folder, place, tests, classpath, left, budget)
        attempts.append(attempt)
        output = (output + printed)[: task["output_bytes"]]
        # The test that was running when the process ended is not run again.
        done += [*events.finished, events.running or next(_not_in(left, events.finished), "")]
        rest = any(name not in done for name in task["names"])
        if events.complete or not rest or budget.used_up:
            return {"attempts": attempts, "output": output}


def _not_in(names: List[str], others: List[str]) -> Any:
    return (name for name in names if name not in others)


def _attempt(
    task: Dict[str, Any],
    folder: str,
    place: str,
    tests: str,
    classpath: str,
    names: List[str],
    budget: Any,
) -> Tuple[Dict[str, Any], Events, str]:
    os.makedirs(place)
    work = os.path.join(place, "work")
    shutil.copytree(os.path.join(folder, "files"), work)
    methods = "|".join(map(re.escape, names))
    command = [*task["java"], "-cp", classpath, "org.junit.platform.console.ConsoleLauncher"]
    command += ["execute", "--disable-banner", "--details=none", "--include-classname=.*"]
    command += [f"--scan-classpath={tests}", f"--include-methodname=.*[.#]({methods})"]
    command += [f"--reports-dir={place}", "--config=junit.platform.reporting.open.xml.enabled=true"]
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=work,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    output = Output(process.stdout.fileno(), task["output_bytes"])
    events = Events(os.path.join(place, REPORT))
    budget.watch(process.pid)
    ending, cpu_seconds = _watch(task, process.pid, output, events, budget)
    budget.ended(cpu_seconds)
    process.returncode = 0  # _watch has waited for it
    _kill_the_rest()
    process.stdout.close()
    attempt = {
        "report": _read(os.path.join(place, REPORT), task["report_bytes"]),
        "ending": ending.kind,
        "why": ending.why,
        "idled": ending.idled,
        "cpu_seconds": cpu_seconds,
        "seconds": time.monotonic() - started,
    }
    shutil.rmtree(work, ignore_errors=True)
    return attempt, events, output.text()


def _watch(
    task: Dict[str, Any], pid: int, output: Output, events: Events, budget: Any
) -> Tuple[TestsEnding, float]:
    """Waits for the process, and ends it where it breaks a limit."""
    limit = TestsEnding("")
    next_look = time.monotonic() + LOOK_SECONDS
    since = START_CPU_SECONDS  # CPU time of the process when the last event came
    while True:
        output.wait()
        ended, status, used = os.wait4(pid, os.WNOHANG)
        news = events.look()
        if ended:
            output.take()
            ending = limit if limit.kind else _natural(status, events, output.tail)
            return ending, used.ru_utime + used.ru_stime
        cpu, memory = _usage(pid)
        since = cpu if news else since
        if not limit.kind and not events.complete:
            limit = _broken_limit(task, cpu - since, memory)
        if not limit.kind and not events.complete and time.monotonic() >= next_look:
            next_look = time.monotonic() + LOOK_SECONDS
            limit = _used_up(budget)
        # With the report complete there is nothing left to wait for but what a candidate left.
        if limit.kind or events.complete or events.heap_was_full:
            os.kill(pid, signal.SIGKILL)


def _used_up(budget: Any) -> TestsEnding:
    stopped = budget.problem()
    return (
        TestsEnding(stopped.status, stopped.message, stopped.idled) if stopped else TestsEnding("")
    )


def _broken_limit(task: Dict[str, Any], cpu: float, memory: int) -> TestsEnding:
    if cpu > task["seconds"]:
        return TestsEnding("timed_out", f"used more than {task['seconds']:g} s of CPU time")
    if memory > task["memory_mb"] << 20:
        return TestsEnding("out_of_memory", f"used more than {task['memory_mb']} MB of memory")
    return TestsEnding("")


def _natural(status: int, events: Events, last_words: bytes) -> TestsEnding:
    if events.complete or events.heap_was_full:
        return TestsEnding("")
    code = os.waitstatus_to_exitcode(status)
    if code == 1 and HEAP_MESSAGE.search(last_words):
        # JUnit lets this one through, and its launcher ends with it.
        return TestsEnding("out_of_memory", "java.lang.OutOfMemoryError")
    how = f"exit status {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
    return TestsEnding("crashed", f"the process ended ({how})")


def _usage(pid: int) -> Tuple[float, int]:
    """CPU seconds and resident bytes."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS, int(fields[21]) * PAGE
    except (OSError, IndexError):
        return 0.0, 0


def _kill_the_rest() -> None:
    """Ends what the candidate left behind; as its reaper, this process finds all of it."""
    while True:
        for child in _children():
            os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> List[int]:
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(pid) for pid in file.read().split()]


def _read(path: str, limit: int) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def main(arguments: List[str]) -> Optional[int]:
    folder, results, tests, classpath = arguments
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    found = run(folder, results, tests, classpath)
    with open(os.path.join(results, "result.json"), "w", encoding="utf-8") as file:
        json.dump(found, file)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
