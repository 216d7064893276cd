"""Cells run in real sandboxes, by the forked shell and by real kernels."""

import base64
import dataclasses
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from polyassay.candidates import empty_candidates, reference_candidates
from polyassay.comparison import AnswerType
from polyassay.comparison.cell import MISSING, OUTPUT, Cell
from polyassay.environments import interpreters as environments
from polyassay.harness import RunSettings
from polyassay.harness.table import Harnesses
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Limits,
    Outcome,
    Style,
    Task,
    Verdict,
)
from polyassay.options import Options
from polyassay.pipeline import judge_all
from polyassay.suites.registry import Registry
from real_parts import given

ROOT = Path(__file__).resolve().parents[2]
SUITE = "starter-notebooks"  # its environment has IPython, pandas and nbclient


@pytest.fixture(scope="module")
def settings() -> RunSettings:
    """The environment is kept in the working folder, because making it takes a minute."""
    home = Path(os.environ.get("POLYASSAY_TEST_HOME", ROOT / ".polyassay"))
    with given("environment"):
        environments.ensure(home, Registry(home).load(SUITE))
    return Options().settings(home, jobs=1)


@pytest.fixture(scope="module")
def harnesses(settings: RunSettings) -> Iterator[Harnesses]:
    with closing(Harnesses(settings)) as made:
        yield made


def make_task(
    task_id: str, *context: str, accepted: str = "2.0", of_type: str = "number", **fields
) -> Task:
    cell = Cell(context, AnswerType(of_type), (accepted,))
    limits = Limits(seconds=2, total_seconds=30, memory_mb=256)
    made = Task(task_id, SUITE, Language.PYTHON, Style.CELL, {"en": ""}, (OUTPUT,), limits=limits)
    return dataclasses.replace(made, extra=cell.to_extra(), **fields)


def verdicts(harnesses: Harnesses, task: Task, answers: Sequence[str]) -> list[Verdict]:
    pairs = [
        (task, Candidate(CandidateKey(SUITE, task.id, "t", "en", sample), answer))
        for sample, answer in enumerate(answers)
    ]
    found = [verdict for some in judge_all(pairs, harnesses) for verdict in some]
    return sorted(found, key=lambda verdict: verdict.candidate.sample)


TABLE = make_task(
    "table/2",
    "import pandas as pd\nimport random\nrandom.seed(3)",
    "df = pd.DataFrame({'x': [1, 2, 3]})\n_ = open('kept.txt', 'w').write('hello')\nprint('noise')",
)
ENDINGS = [
    ("df.x.mean()", "passed", ""),
    ("print('Mean:', df.x.mean())", "passed", ""),
    ("%matplotlib inline\n!echo 2.0", "passed", ""),
    ("df.x.meen()", "failed", "undefined API: AttributeError"),
    ("df['y']", "failed", "wrong schema: KeyError"),
    ("frame.x.mean()", "failed", "undefined name: NameError"),
    ("df.x.mean(", "failed", "syntax: "),
    ("1 / 0", "failed", "other error: ZeroDivisionError"),
    ("mean = df.x.mean()", "failed", "no output"),
    ("import matplotlib.pyplot as plt\nplt.plot(df.x)", "failed", "no output"),
    ("print(df.shape)\ndf.x.mean()", "failed", "too much output"),
    ("df.x.sum()", "failed", "wrong"),
    ("while True:\n    pass", "timed_out", "used more than 2 s of CPU time"),
    ("x = bytearray(10**10)", "out_of_memory", "out of memory"),
    ("import os\nprint(2.0)\nos._exit(0)", "crashed", "the process ended"),
    ("import os\nos.kill(os.getpid(), 9)", "crashed", "the process was ended by SIGKILL"),
]


def test_each_ending_is_the_cells_own(harnesses: Harnesses) -> None:
    found = verdicts(harnesses, TABLE, [source for source, *_ in ENDINGS])
    for (source, outcome, message), verdict in zip(ENDINGS, found, strict=True):
        assert verdict.outcome == outcome, f"{source}: {verdict.reason}"
        assert verdict.tests[0].message.startswith(message), source
        assert verdict.judged is Judging.APART
        ran = outcome == "passed" or message in ("no output", "too much output", "wrong")
        assert verdict.measures["ran"] == ran, source
        assert verdict.measures["output_em"] == (outcome == "passed")


def test_a_candidate_finds_the_context_as_the_context_left_it(harnesses: Harnesses) -> None:
    numbers = ("0.23796462709189137",)
    random_cell = Cell(("import random\nrandom.seed(3)",), AnswerType.NUMBER, numbers)
    seeded = dataclasses.replace(
        TABLE,
        extra={**TABLE.extra, **random_cell.to_extra()},
    )
    spoil = "df['x'] = 0\nopen('kept.txt', 'w').write('gone')\nimport pandas\ndel pandas.DataFrame"
    look = "print(df.x.mean() if open('kept.txt').read() == 'hello' else 0)"
    assert [v.outcome for v in verdicts(harnesses, TABLE, [spoil, look, look])] == [
        Outcome.FAILED,
        Outcome.PASSED,
        Outcome.PASSED,
    ]
    rolled = verdicts(harnesses, seeded, ["random.random()", "print(random.random())"])
    assert all(verdict.outcome is Outcome.PASSED for verdict in rolled)


def test_modules_and_folders_of_a_notebook_are_found(harnesses: Harnesses) -> None:
    files = {"helper.py": base64.b64encode(b"two = 2.0").decode()}
    context = "import os\nos.mkdir('inner')\nos.chdir('inner')\n_ = open('here', 'w').write('2.0')"
    task = make_task("folders/1", context, data_files=files)
    task_beside = make_task("folders/0", "x = 1", data_files=files)
    answers = ["import helper\nhelper.two"]
    assert verdicts(harnesses, task_beside, answers)[0].outcome is Outcome.PASSED
    found = verdicts(harnesses, task, ["print(open('here').read())"] * 2)
    assert [verdict.reason for verdict in found] == ["", ""]


@pytest.mark.parametrize(
    "leaves",
    [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True)"
        ".start()\nrunning = threading.active_count",
        "import socket\none, other = socket.socketpair()\n"
        "def running():\n    one.send(b'xx')\n    return len(other.recv(9))",
        "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
        "def running():\n    return 2 if child.poll() is None else 0",
    ],
    ids=["a thread", "a connection", "a process"],
)
def test_what_a_context_leaves_behind_is_there_for_each_candidate(
    harnesses: Harnesses, leaves: str
) -> None:
    task = make_task("leaves/1", leaves, "print('noise')")
    found = verdicts(harnesses, task, ["running()", "print(running())"])
    assert [(v.outcome, v.reason) for v in found] == [(Outcome.PASSED, "")] * 2


def test_a_context_that_does_not_run_is_not_the_tools_fault(harnesses: Harnesses) -> None:
    tasks = [
        make_task("raises/1", "x = 1", "1 / 0"),
        make_task("leaves/1", "import os\nos._exit(0)"),
        make_task("needs/1", "import nonsense", libraries=("nonsense",)),
        dataclasses.replace(make_task("absent/1"), extra={MISSING: "file_9 is missing"}),
    ]
    found = [verdicts(harnesses, task, ["print(2.0)"])[0] for task in tasks]
    assert {verdict.outcome for verdict in found} == {Outcome.NOT_RUNNABLE}
    for verdict, reason in zip(
        found,
        ["cell 2 of it: ZeroDivisionError", "its process ended", "the library nonsense", "file_9"],
        strict=True,
    ):
        assert reason in verdict.reason
    (after,) = verdicts(harnesses, TABLE, ["df.x.mean()"])
    assert after.outcome is Outcome.PASSED


def test_references_pass_and_empty_answers_do_not(settings: RunSettings) -> None:
    suite = Registry(settings.home).load(SUITE)
    tasks = {task.id: task for task in suite.tasks}
    candidates = [*reference_candidates(suite), *empty_candidates(suite)]
    with closing(Harnesses(dataclasses.replace(settings, jobs=2))) as harnesses:
        pairs = [(tasks[candidate.key.task], candidate) for candidate in candidates]
        found = [verdict for some in judge_all(pairs, harnesses) for verdict in some]
    for verdict in found:
        passed = verdict.candidate.tool == "reference"
        assert (verdict.outcome is Outcome.PASSED) == passed, verdict.reason


def test_a_real_kernel_gives_the_same_verdicts(settings: RunSettings) -> None:
    chosen = [row for row in ENDINGS if row[0] in (
        "df.x.mean()", "df['y']", "while True:\n    pass", "import os\nos.kill(os.getpid(), 9)",
    )]  # fmt: skip
    with closing(Harnesses(dataclasses.replace(settings, engine="nbclient", jobs=2))) as harnesses:
        found = verdicts(harnesses, TABLE, [source for source, *_ in chosen])
    assert [(v.outcome, v.measures["ran"]) for v in found] == [
        (outcome, float(outcome == "passed")) for _, outcome, _ in chosen
    ]


FORGED = [
    {"status": "passed"},
    {"shown": 5, "error": None},
    {"shown": [{"at": "x", "text": 2, "kind": "result"}, 7], "status": "passed"},
    {"shown": [{"at": -(10**30), "text": {"a": 1}}], "start": "x", "printed": 5},
    {"problem": "nothing", "ending": "not_runnable", "memory": 0},
]
SEND = "import json, os\np = json.dumps({}).encode()\nos.write(3, len(p).to_bytes(4, 'big') + p)\n"


def test_what_a_candidate_says_of_itself_is_at_most_a_wrong_answer(harnesses: Harnesses) -> None:
    forged = [SEND.replace("{}", repr(message)) + "os._exit(0)" for message in FORGED]
    found = verdicts(harnesses, TABLE, forged)
    assert [verdict.outcome for verdict in found] == [Outcome.FAILED] * len(FORGED)
