"""`polyassay init`: a commented study for what is found here."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import click

from polyassay.candidates.formats import FORMATS
from polyassay.candidates.opening import ANSWER_FILES
from polyassay.candidates.records import AnswerFile
from polyassay.cli.common import home, messages
from polyassay.errors import PolyAssayError
from polyassay.suites.registry import Registry
from polyassay.wording import counted

# Where model servers listen by default: llama.cpp, vLLM, Ollama, LM Studio.
PORTS = (8080, 8000, 11434, 1234)
SECONDS = 0.5


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="study.toml")
@click.option("--ports", default=",".join(map(str, PORTS)), help="Where to look for a server.")
def init(file: Path, ports: str) -> int:
    """Writes a commented study.toml for what is found here: suites, answers, a local server.

    \b
    polyassay init
    polyassay study preview study.toml
    """
    if file.exists():
        raise PolyAssayError(f"{file} exists already.", "name another file, or move it away.")
    suites = Registry(home()).names()
    answers = _answers(Path.cwd())
    server = _server([int(port) for port in ports.split(",") if port.strip().isdecimal()])
    file.write_text(_text(suites, answers, server), "utf-8")
    found = [counted(len(suites), "suite")]
    found.append(counted(len(answers), "file or folder of answers", "files or folders of answers"))
    found.append(f"a server at {server[0]}" if server else "no server on this machine")
    messages().print(f"Found {', '.join(found)}. Wrote {file}.")
    if not answers and server is None:
        said = f"Next:  say in {file} which tools there are: take the # from a [[tool]]."
        messages().print(said, markup=False)
    else:
        messages().print(f"Next:  polyassay study preview {file}   polyassay study run {file}")
    return 0


def _answers(folder: Path) -> list[str]:
    """What lies in the folder `answers`, where answers usually are, and files of answers beside."""
    place = folder / "answers"
    within = sorted(place.iterdir()) if place.is_dir() else []
    beside = [p for p in sorted(folder.iterdir()) if p.is_file() and _holds_answers(p)]
    found = [p for p in within if p.is_dir() or _holds_answers(p)] + beside
    return [p.relative_to(folder).as_posix() for p in found if not p.name.startswith(".")]


def _holds_answers(path: Path) -> bool:
    """Prompts and much else is JSONL, too."""
    if not path.name.endswith(ANSWER_FILES):
        return False
    try:
        first = AnswerFile(path).first(5)
    except PolyAssayError:
        return False
    return bool(first) and any(known.fits(first) for known in FORMATS.values())


def _server(ports: list[int]) -> tuple[str, str] | None:
    """The address and the first model of a server on loopback that lists models as OpenAI does."""
    for port in ports:
        url = f"http://127.0.0.1:{port}/v1"
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=SECONDS) as reply:  # noqa: S310
                models = json.load(reply)["data"]
                return url, str(models[0]["id"])
        except urllib.error.HTTPError as error:
            if error.code == 401:  # it is there, and wants a key
                return url, "NAME"
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            continue
    return None


def _text(suites: list[str], answers: list[str], server: tuple[str, str] | None) -> str:
    usual = [name for name in ("starter-java", "starter-python") if name in suites] or suites
    url, model = server or ("http://127.0.0.1:8080/v1", "NAME")
    tools = [_server_tool(url, model, found=server is not None)]
    for path in answers:
        name = Path(path).name.partition(".")[0]
        tools.append(f'[[tool]]\nname = "{name}"\nvia = "files"\npath = "{path}"\n')
    return (
        "# A study: `polyassay study run` asks the tools, judges what they write, and reports.\n"
        "# docs/studies.md explains every line.\n"
        f"suites = {json.dumps(usual)}\n"
        f"# also here: {', '.join(name for name in suites if name not in usual) or 'none'}\n"
        "samples = 1                # answers a task; more of them can be asked for later\n"
        "# limit = 5                # only the first tasks of each suite, for a trial\n"
        '# prompt_languages = ["en", "zh"]\n'
        '# send_to = ["api.example.com"]   # hosts that may get the suites\' prompts\n\n'
        + "\n".join(tools)
        + "\n# [[tool]]\n"
        '# name = "mine"\n'
        '# via = "command"            # one process a prompt, which it reads from standard input\n'
        '# command = ["my-tool", "--file", "{prompt_file}"]\n\n'
        "# [vary]                     # every combination, for every tool that can\n"
        "# examples = [0, 1, 3]       # solved tasks before the task\n"
        "# shown_tests = [0, 1]       # tests of the task in its prompt\n\n"
        "# [compare]\n"
        f'# baseline = "{"local" if not answers else Path(answers[0]).name.partition(".")[0]}"\n'
        '# measure = "pass@1"\n'
        "# margin = 3.0               # points: not worse by more than this\n"
    )


def _server_tool(url: str, model: str, *, found: bool) -> str:
    lines = [
        "[[tool]]",
        'name = "local"',
        'via = "openai"             # any server that speaks like it; or completions, anthropic',
        f'model = "{model}"',
        f'base_url = "{url}"',
        '# api_key_env = "LOCAL_KEY"  # the variable that holds the key; never the key itself',
        "temperature = 0.8",
        "max_tokens = 1024",
        "# price = { input = 0.10, output = 0.40, currency = 'USD', per = 1_000_000 }",
    ]
    if not found:
        lines = [f"# {line}" for line in lines]
        lines.insert(0, "# No server was found on this machine.")
    return "\n".join(lines) + "\n"
