"""Small agents for tests: what real ones do, good and bad, without a model behind them."""

import shlex
import sys
import textwrap
from pathlib import Path

# Finds the stub by the prompt file, as an agent would, and writes what it was told to.
EDITS = """
import json, pathlib, re, sys
prompt = pathlib.Path(sys.argv[1]).read_text()
name = re.match(r"Fill in (\\S+)\\.", prompt)[1]
stub = pathlib.Path(name)
answers = json.loads(pathlib.Path(sys.argv[2]).read_text())
task = sys.argv[3]
print(json.dumps({"type": "usage", "usage": {"in": 100, "out": 7}}))
print("some text", file=sys.stderr)
if task in answers:
    stub.write_text(answers[task])
pathlib.Path("test_extra.py").write_text("assert True")
print(json.dumps({"type": "usage", "usage": {"in": 20, "out": 3}}))
sys.exit(int(sys.argv[4]))
"""

# Starts a child, then never ends; neither may outlive it.
HANGS = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
pathlib.Path("clamp.py").write_text("def clamp(x, low, high):\\n    return x\\n")
time.sleep(600)
"""

# Edits a stub through the protocol, and tries to get out of its folder in several ways.
ACP = """
import asyncio, os, sys
import acp
from acp.schema import AgentCapabilities, Implementation, PermissionOption, ToolCallLocation
from acp.schema import ToolCallUpdate, Usage

OUTSIDE = sys.argv[1]

class Curious(acp.Agent):
    def on_connect(self, conn):
        self.client = conn

    async def initialize(self, protocol_version, **_):
        info = Implementation(name="curious", version="1.2.3")
        return acp.InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=AgentCapabilities(),
            agent_info=info,
        )

    async def new_session(self, cwd, **_):
        self.cwd = cwd
        return acp.NewSessionResponse(session_id="one")

    async def tried(self, what, request):
        try:
            await request
        except acp.RequestError as error:
            text = f"{what}: refused"
        else:
            text = f"{what}: DONE"
        await self.client.session_update("one", acp.update_agent_message_text(text))

    async def permission(self, kind, path):
        call = ToolCallUpdate(
            tool_call_id="t", kind=kind, title=kind, locations=[ToolCallLocation(path=path)]
        )
        options = [
            PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
            PermissionOption(option_id="no", name="No", kind="reject_once"),
        ]
        answer = await self.client.request_permission("one", call, options)
        text = f"{kind} {path}: {getattr(answer.outcome, 'option_id', 'cancelled')}"
        await self.client.session_update("one", acp.update_agent_message_text(text))

    async def prompt(self, session_id, prompt, **_):
        name = prompt[0].text.split()[2].rstrip(".")
        stub = os.path.join(self.cwd, name)
        read = await self.client.read_text_file("one", stub)
        assert "raise NotImplementedError" in read.content, read.content
        first = await self.client.read_text_file("one", stub, line=2, limit=1)
        assert first.content == "#\\n", first.content
        os.symlink(OUTSIDE, os.path.join(self.cwd, "link"))
        secret = os.path.join(OUTSIDE, "secret")
        await self.tried("read outside", self.client.read_text_file("one", secret))
        await self.tried("read above", self.client.read_text_file("one", "../../etc/passwd"))
        await self.tried("read link", self.client.read_text_file("one", f"{self.cwd}/link/secret"))
        await self.tried("write outside", self.client.write_text_file("one", secret, "x"))
        through = f"{self.cwd}/link/new"
        await self.tried("write link", self.client.write_text_file("one", through, "x"))
        await self.tried("read nothing", self.client.read_text_file("one", f"{self.cwd}/none"))
        await self.permission("edit", stub)
        await self.permission("edit", secret)
        await self.permission("execute", stub)
        answer = "def clamp(x, low, high):\\n    return max(low, min(x, high))\\n"
        await self.client.write_text_file("one", stub, answer)
        used = Usage(total_tokens=30, input_tokens=20, output_tokens=10)
        return acp.PromptResponse(stop_reason="end_turn", usage=used)

asyncio.run(acp.run_agent(Curious()))
"""


def script(folder: Path, name: str, source: str) -> list[str]:
    """The words that start it."""
    path = folder / f"{name}.py"
    path.write_text(textwrap.dedent(source), "utf-8")
    return [sys.executable, str(path)]


# Asks a real model server, whose grammar scripts what the model says, and writes it into the stub.
ASKS_A_MODEL = """
import json, os, pathlib, re, sys, urllib.request
prompt = pathlib.Path(sys.argv[1]).read_text()
stub = pathlib.Path(re.match(r"Fill in (\\S+)\\.", prompt)[1])
wanted = json.loads(pathlib.Path(sys.argv[2]).read_text())[sys.argv[3]]
body = {
    "model": "tiny-random",
    "messages": [{"role": "user", "content": prompt}],
    "grammar": "root ::= " + json.dumps(wanted),
    "max_tokens": 400,
}
request = urllib.request.Request(
    os.environ["MODEL_URL"] + "/chat/completions",
    json.dumps(body).encode(),
    {"content-type": "application/json", "authorization": "Bearer " + os.environ["MODEL_KEY"]},
)
reply = json.load(urllib.request.urlopen(request, timeout=120))
stub.write_text(reply["choices"][0]["message"]["content"])
print(json.dumps({"type": "done", "usage": reply["usage"]}))
"""


def command(*words: object) -> str:
    """One line for `--command`; placeholders keep their braces within quotes."""
    return shlex.join(str(word) for word in words)
