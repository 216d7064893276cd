"""Runs one candidate's cell in a real Jupyter kernel, with nbclient: slow, plain, the reference.

It shares nothing with the shell that is forked but the frames and the rule of time: one request
comes in, one frame goes out when the context has run, and one when the cell has.
"""

import base64
import contextlib
import json
import os
import resource
import signal
import sys
import threading
from typing import Any, Dict, Iterator, List

from polyassay_harness.process.budget import Budget
from polyassay_harness.process.endings import Stopped
from polyassay_harness.wire import frames

_PAGE = resource.getpagesize()
_TEXT_CHARACTERS = 100_000
# A kernel opens a port for what subprocesses print, and libzmq ends the process where it may not
# ask for the network's interfaces; the kernel goes on where it may not open a port.
_LAUNCH = """
import sys
del sys.path[0]
import zmq
def refuse(*arguments, **options):
    raise zmq.ZMQError(msg="no ports")
zmq.Socket.bind_to_random_port = refuse
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()
"""
# There are no terminals in the sandbox, which `!command` would ask for.
_PREPARE = "get_ipython().system = get_ipython().system_raw"

Message = Dict[str, Any]


def main(_arguments: List[str]) -> None:
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    request = frames.receive(requests)
    work = os.path.join(os.getcwd(), "work")
    _lay_out(work, request["files"])
    with _kernel(request, work) as kernel:
        problem = kernel.run_context()
        frames.send(replies, {"problem": problem})
        if not problem:
            frames.send(replies, kernel.run(request["source"]))


def _lay_out(work: str, files: Dict[str, str]) -> None:
    os.mkdir(work)
    for path, content in files.items():
        target = os.path.join(work, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(base64.b64decode(content))


@contextlib.contextmanager
def _kernel(request: Message, work: str) -> "Iterator[Kernel]":
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbformat.v4 import new_notebook

    _write_spec()
    sockets = os.path.join(os.path.dirname(work), "kernel")
    manager = AsyncKernelManager(kernel_name="candidate", transport="ipc", ip=sockets)
    resources = {"metadata": {"path": work}}
    client = NotebookClient(new_notebook(), km=manager, resources=resources, allow_errors=True)
    with client.setup_kernel():
        yield Kernel(client, request)


def _write_spec() -> None:
    folder = os.path.join(os.environ["JUPYTER_PATH"], "kernels", "candidate")
    os.makedirs(folder)
    argv = [sys.executable, "-s", "-c", _LAUNCH, "-f", "{connection_file}"]
    with open(os.path.join(folder, "kernel.json"), "w") as file:
        json.dump({"argv": argv, "display_name": "candidate", "language": "python"}, file)


class Kernel:
    def __init__(self, client: Any, request: Message) -> None:
        self._client = client
        self._request = request
        self._pid = client.km.provisioner.pid
        self._timed_out: Message = {}

    def run_context(self) -> str:
        """Runs the context's cells; returns the problem, if there was one."""
        for number, source in enumerate([_PREPARE, *self._request["cells"]]):
            result = self._execute(source)
            if result["status"] != "ended" or "error" in result:
                why = result.get("error", result["status"])
                return f"cell {number} of it: {why}: {result.get('message', '')}"
        return ""

    def run(self, source: str) -> Message:
        """Runs the cell within the candidate's limits; gives what it showed and raised."""
        limits = self._request["limits"]
        _limit_memory(self._pid, limits["memory_mb"])
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(limits, done), daemon=True)
        watch.start()
        result = self._execute(source)
        done.set()
        watch.join()
        return self._timed_out or result

    def _execute(self, source: str) -> Message:
        """However long it takes: the watch ends the kernel, and the runner all of this."""
        from nbclient.exceptions import DeadKernelError
        from nbformat.v4 import new_code_cell

        cell = new_code_cell(source)
        self._client.nb.cells.append(cell)
        try:
            self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        except DeadKernelError:
            return {"status": "crashed", "message": "the kernel died"}
        return {"status": "ended", **_outcome(cell.outputs)}

    def _watch(self, limits: Message, done: threading.Event) -> None:
        """CPU time decides, as it does for every candidate."""
        budget = Budget(limits["total_seconds"], root=self._pid)
        while not done.wait(0.1):
            problem = budget.problem()
            if budget.used() > limits["seconds"]:
                why = f"used more than {limits['seconds']:g} s of CPU time"
                problem = Stopped("timed_out", why)
            if problem is not None:
                self._timed_out = {**problem.result(), "idled": problem.idled}
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
                return


def _outcome(outputs: List[Any]) -> Message:
    printed, shown = "", []
    found: Message = {}
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream" and output["name"] == "stdout":
            printed += output["text"]
        elif kind in ("execute_result", "display_data") and "text/plain" in output["data"]:
            text = str(output["data"]["text/plain"])[:_TEXT_CHARACTERS]
            name = "result" if kind == "execute_result" else "display"
            shown.append({"kind": name, "text": text, "at": len(printed.encode())})
        elif kind == "error":
            name = output["ename"]
            memory = name.endswith("MemoryError")
            found = {"error": name, "message": output["evalue"][:2000], "memory": memory}
    return {**found, "printed": printed[:_TEXT_CHARACTERS], "shown": shown[:1000]}


def _limit_memory(pid: int, memory_mb: int) -> None:
    """So much more than it has mapped by now."""
    with open(f"/proc/{pid}/statm") as statm:
        data = int(statm.read().split()[5]) * _PAGE
    limit = data + (memory_mb << 20)
    resource.prlimit(pid, resource.RLIMIT_DATA, (limit, limit))
