"""Which tools may be ranked together: the same suite, conditions and units."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from polyassay.measures.comparable import command_for, conditions, tries_of
from polyassay.measures.doubts import EMPTY, REFERENCE
from polyassay.measures.results import Results
from polyassay.measures.table import Measure
from polyassay.measures.units import Unit, UnitScore
from polyassay.rules import RULES, is_known, judge_again, rules_of
from polyassay.rules import told as rules_told
from polyassay.store import Run
from polyassay.wording import counted, some


@dataclass(frozen=True, slots=True)
class Board:
    """The tools that were asked the same units of one suite under the same conditions."""

    suite: str
    conditions: dict[str, str]
    asked: frozenset[Unit]  # of each of them
    prompt_language: str = ""  # the only one whose units count, where one was chosen
    tools: dict[str, Sequence[UnitScore]] = field(default_factory=dict)
    runs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # tool → where figures are from
    imported: set[str] = field(default_factory=set)  # tools whose verdicts were not judged here
    name: str = ""  # the same whatever other boards there are, and fit for a file's name
    command: str = ""  # how others are judged for it
    joint: bool = False  # over several suites, of which each has a board of its own

    @property
    def units(self) -> int:
        return len(self.asked)

    @property
    def tasks(self) -> int:
        """Fewer than the units where a task is put in several prompt languages."""
        return len({unit.task_key for unit in self.asked})

    @property
    def prompt_languages(self) -> tuple[str, ...]:
        return tuple(sorted({unit.prompt_language for unit in self.asked}))


class _Asked(NamedTuple):
    """What one tool of one run was asked of one suite."""

    result: Results
    suite: str
    tool: str
    units: list[UnitScore]

    def __str__(self) -> str:
        return f"{self.tool} of {self.result.run.id} on {self.suite}"


def make_boards(
    results: Sequence[Results],
    by: Measure,
    prompt_language: str = "",
    suites: Sequence[str] = (),
) -> tuple[list[Board], list[str]]:
    """What may be ranked together, and why the rest may not; of some suites, or of all.

    A tool's newest run counts. But a run that others sent never displaces one that was judged here,
    nor do the rules in its file decide which runs are ranked, where one was judged here. With a
    prompt language only its units count, so tools meet that share no other one.
    """
    boards: dict[tuple[object, ...], Board] = {}
    remarks = []
    because: dict[str, list[str]] = {}
    newest = _rules_to_rank([result.run for result in results])
    for result in sorted(results, key=lambda result: _weight(result.run), reverse=True):
        version = rules_of(result.run.provenance)
        if version > newest and is_known(version):
            told = f"Run {result.run.id} is imported and was judged under {rules_told(version)}"
            remarks.append(f"{told}; those judged here were under {rules_told(newest)}.")
        elif version != newest:
            remarks.append(judge_again(result.run.id, version))
        elif not result.complete:
            remarks.append(f"Run {result.run.id} is not complete.")
        else:
            for one in _asked(result, suites):
                _place(boards, because, one, by, prompt_language)
    remarks += [f"{why}: {some(names, 3)}." for why, names in because.items()]
    return sorted(boards.values(), key=lambda board: (board.suite, -board.units)), remarks


def _rules_to_rank(runs: Sequence[Run]) -> int:
    """The newest rules that this program knows and a run was judged under, if one was here."""
    deciding = [run for run in runs if not run.imported] or runs
    known = [rules_of(run.provenance) for run in deciding]
    return max(filter(is_known, known), default=RULES)


def joint_board(boards: Sequence[Board]) -> Board | None:
    """One board over all these suites, of the tools that each of them ranks; None without two.

    Every prompt weighs the same, as in `compare --all`, so large suites weigh more.
    """
    suites = list(dict.fromkeys(board.suite for board in boards))
    everywhere = set.intersection(
        *({tool for board in boards if board.suite == suite for tool in board.tools}
          for suite in suites)
    )  # fmt: skip
    chosen = [
        max(
            (board for board in boards if board.suite == suite),
            key=lambda board: (len(everywhere & set(board.tools)), len(board.tools), board.units),
        )
        for suite in suites
    ]
    tools = [tool for tool in chosen[0].tools if all(tool in board.tools for board in chosen)]
    if len(suites) < 2 or len(tools) < 2:
        return None
    return Board(
        ", ".join(suites),
        {"boards": "; ".join(board.name for board in chosen)},
        frozenset(unit for board in chosen for unit in board.asked),
        chosen[0].prompt_language,
        {tool: [unit for board in chosen for unit in board.tools[tool]] for tool in tools},
        {
            tool: tuple(dict.fromkeys(run for board in chosen for run in board.runs[tool]))
            for tool in tools
        },
        {tool for board in chosen for tool in board.imported if tool in tools},
        _name("all-suites", tuple(board.name for board in chosen)),
        " && ".join(board.command for board in chosen),
        joint=True,
    )


def _asked(result: Results, suites: Sequence[str]) -> Iterator[_Asked]:
    for suite in result.run.provenance["suites"]:
        if suites and suite not in suites:
            continue
        for tool, units in result.scores.items():
            own = [unit for unit in units if unit.unit.suite == suite]
            if own and tool not in (REFERENCE, EMPTY):
                yield _Asked(result, suite, tool, own)


def _place(
    boards: dict[tuple[object, ...], Board],
    because: dict[str, list[str]],
    one: _Asked,
    by: Measure,
    language: str,
) -> None:
    """Puts a tool on its board, or its name below the reason why it has none."""
    own = [unit for unit in one.units if not language or unit.unit.prompt_language == language]
    if problem := _cannot_rank(own, by) if own else f"Not asked in {language}":
        because.setdefault(problem, []).append(str(one))
        return
    board = _board_of(boards, one, own, language)
    if problem := _rank(board, one.tool, own, one.result.run):
        because.setdefault(problem, []).append(str(one))


def _board_of(
    boards: dict[tuple[object, ...], Board], one: _Asked, own: Sequence[UnitScore], language: str
) -> Board:
    """The board of those who were asked the same under the same conditions."""
    run, suite = one.result.run, one.suite
    under = {**conditions(run, suite), "tries": tries_of(one.tool)}
    asked = frozenset(unit.unit for unit in own)
    checksum = run.provenance["suites"][suite]["checksum"]
    key = (suite, checksum, asked, *under.values())
    if key not in boards:
        name = _name(suite, (checksum, *sorted(asked), *under.values()))
        command = command_for(run, suite)
        boards[key] = Board(suite, under, asked, language, name=name, command=command)
    return boards[key]


def _weight(run: Run) -> tuple[bool, str]:
    """Newer runs weigh more, and all runs that were judged here more than all others."""
    return not run.imported, run.created


def _name(suite: str, parts: Sequence[object]) -> str:
    digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', suite)}-{digest}"


def _rank(board: Board, tool: str, units: Sequence[UnitScore], run: Run) -> str:
    """Gives the tool these figures, or says why an imported run's may not count."""
    if tool not in board.tools:
        board.tools[tool], board.runs[tool] = units, (run.id,)
        if run.imported:
            board.imported.add(tool)
    elif run.imported and tool not in board.imported:
        return f"Imported, and ranked by run {board.runs[tool][0]}, which was judged here"
    else:
        return f"Ranked by the newer run {board.runs[tool][0]}"
    return ""


def _cannot_rank(units: Sequence[UnitScore], by: Measure) -> str:
    fewest = min((len(unit.samples) for unit in units if unit.samples), default=0)
    if fewest < by.needs:
        return f"Only {counted(fewest, 'sample')} of a task, and {by.title} needs {by.needs}"
    if all(by.of_unit(unit) is None for unit in units):
        return f"No {by.title}"
    return ""


def samples_told(units: Sequence[UnitScore]) -> str:
    """How many a tool gave of a task that it answered: 5, or 1–5 where they differ."""
    counts = [len(unit.samples) for unit in units if unit.samples] or [0]
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)}–{max(counts)}"
