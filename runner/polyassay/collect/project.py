"""Lays a suite out as projects that an editor indexes, one a sample.

Each sample is a project of its own, because a tool that sees its first answer would repeat it.
Tasks stand in another order in each, so that none of them always comes first or after the same
neighbour. There are no tests, no references and no history in them.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from polyassay.collect import manifest
from polyassay.collect.manifest import Item, Manifest, StubFile, plain, sha256
from polyassay.collect.stubs import Stub, TaskFiles, notebook, project_files, stub_maker
from polyassay.collect.stubs.comment import usual_language
from polyassay.collect.wording import instructions
from polyassay.errors import PolyAssayError
from polyassay.model import Language, Style, Suite, Task
from polyassay.wording import did_you_mean

README = "README.md"
PROMPTS = "prompts"
ABOUT = """\
# Answers of {tool}

Each folder sample-N is a project: open it in an editor as it is, and let {tool} fill in one stub
after the other, in the order of their numbers. The prompt of each is in `{prompts}`, and above
its stub, where that is one file.

    polyassay collect status {folder}
    polyassay collect take {folder} -o {tool}.jsonl

Only stubs are taken. What else is changed or added is listed, and left alone.
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    suites: Mapping[str, Suite]
    tool: str
    samples: int
    seed: int
    prompt_language: str = ""
    tasks: tuple[str, ...] = ()  # empty: all


def lay_out(folder: Path, wanted: Wanted) -> Manifest:
    """Writes all projects and the manifest; refuses a folder that has something in it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PolyAssayError(
            f"{folder} is there already, and not empty.",
            hint="Name another folder; nothing was written.",
        )
    made = Manifest(
        {name: suite.checksum for name, suite in wanted.suites.items()},
        *(wanted.tool, wanted.samples, wanted.seed, (), {}),
    )
    pairs = _pairs(wanted)
    if wanted.prompt_language:
        _refuse_language(pairs, wanted.prompt_language)
    for sample in range(wanted.samples):
        order = list(pairs)
        random.Random(f"{wanted.seed}/{sample}").shuffle(order)  # noqa: S311 – an order
        made = _sample(folder, made, sample, order, wanted.prompt_language)
    about = ABOUT.format(tool=wanted.tool, prompts=PROMPTS, folder=folder.name)
    (folder / README).write_text(about, "utf-8")
    manifest.write(folder, made)
    return made


def _pairs(wanted: Wanted) -> list[tuple[Suite, Task]]:
    pairs = [(suite, task) for suite in wanted.suites.values() for task in suite.tasks]
    known = {task.id for _, task in pairs}
    for name in wanted.tasks:
        if name not in known:
            raise PolyAssayError(
                f'There is no task "{name}" in {", ".join(wanted.suites)}.',
                did_you_mean(name, known) + "`polyassay suites tasks SUITE` lists tasks.",
            )
    return [pair for pair in pairs if not wanted.tasks or pair[1].id in wanted.tasks]


def _refuse_language(pairs: list[tuple[Suite, Task]], language: str) -> None:
    lacking = [task.id for _, task in pairs if language not in task.prompts]
    if lacking:
        raise PolyAssayError(
            f'{len(lacking)} tasks have no prompt in "{language}", the first is {lacking[0]}.',
            hint="`polyassay suites show SUITE` lists prompt languages; nothing was written.",
        )


def _sample(
    folder: Path,
    made: Manifest,
    sample: int,
    order: list[tuple[Suite, Task]],
    prompt_language: str,
) -> Manifest:
    root = f"sample-{sample}"
    items, given = list(made.items), dict(made.given)
    folders: dict[Language, list[str]] = {}
    digits = max(3, len(str(len(order))))
    for number, (suite, task) in enumerate(order, start=1):
        name = f"t{number:0{digits}}-{_slug(task.id)}"
        language = prompt_language or usual_language(task)
        files = project_files(task, suite.jars, language, name.replace("-", "_"))
        place = f"{root}/{name}" if _has_folder(task, files) else root
        folders.setdefault(task.language, []).append(name)
        prompt = f"{root}/{PROMPTS}/{name}.md"
        stubs = {f"{place}/{path}": stub for path, stub in files.stubs.items()}
        text = instructions(task, [path.removeprefix(f"{root}/") for path in stubs], language)
        others = {prompt: text.encode()}
        others |= {f"{place}/{path}": content for path, content in files.given.items()}
        for path, content in others.items():
            given[path] = _write(folder, path, content)
        for path, stub in stubs.items():
            _write(folder, path, stub.text.encode())
        about = dict(_stub_files(task, place, stubs))
        items.append(
            Item(suite.name, task.id, sample, language, prompt, about, task.style is Style.CELL)
        )
    for of, names in folders.items():
        for path, text in stub_maker(of).joining_files(names).items():
            given[f"{root}/{path}"] = _write(folder, f"{root}/{path}", text.encode())
    return replace(made, items=tuple(items), given=given)


def _has_folder(task: Task, files: TaskFiles) -> bool:
    """Where it has several files, or its language wants one; else it is a file beside others."""
    return stub_maker(task.language).has_folder or bool(files.given) or len(files.stubs) > 1


def _stub_files(
    task: Task, place: str, stubs: Mapping[str, Stub]
) -> Iterator[tuple[str, StubFile]]:
    for path, stub in stubs.items():
        is_notebook = task.style is Style.CELL
        about = StubFile(
            sha256=sha256(stub.text.encode()),
            plain_sha256=sha256(plain(stub.text)),
            solution=path.removeprefix(f"{place}/") if task.solution else "",
            header_lines=stub.header.count("\n"),
            header_sha256=sha256(stub.header.encode()) if stub.header else "",
            cell_sha256=sha256(plain(stub.header)) if is_notebook else "",
            context_sha256=sha256(plain(notebook.context_in(stub.text))) if is_notebook else "",
        )
        yield path, about


def _slug(task_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", task_id).strip("-").lower()[:40] or "task"


def _write(folder: Path, path: str, content: bytes) -> str:
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return sha256(content)
