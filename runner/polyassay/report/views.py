"""The values that the pages show; templates print them and calculate nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polyassay.model import Language, Outcome
from polyassay.report.tables import Cell, OutOf, Points, Share, Table, all_shares
from polyassay.report.tasks.differences import DiffLine
from polyassay.report.tasks.failing import FailedTest
from polyassay.report.tasks.remarks import Remark
from polyassay.texts import say

_FEW_MEASURES = 3  # each drawn beside its column
BEST_FIRST = tuple(dict.fromkeys((Outcome.PASSED, Outcome.FAILED, *Outcome)))


def endings(outcomes: Mapping[Outcome, int], missing: int = 0) -> list[tuple[str, str, int]]:
    """What became of every answer that was asked for: a CSS name, words, and how many."""
    met = [of for of in BEST_FIRST if outcomes.get(of)]
    found = [(str(of), of.replace("_", " "), outcomes[of]) for of in met]
    return found + [("missing", "no answer", missing)] * bool(missing)


@dataclass(frozen=True, slots=True)
class ToolScore:
    tool: str
    cells: tuple[Cell, ...]  # in the order of `Site.measures`
    solved: OutOf
    outcomes: dict[Outcome, int]  # only those that occur
    histogram: tuple[int, ...]  # units by pass ratio, in the bins of `charts.BINS`
    missing: int = 0  # answers that the tool did not give

    @property
    def endings(self) -> list[tuple[str, str, int]]:
        return endings(self.outcomes, self.missing)


@dataclass(frozen=True, slots=True)
class GroupScore:
    """One group of tasks, and whether the two tools differ on it."""

    kind: str  # "language"
    name: str  # "java"
    tasks: int
    told: str  # how many tasks, and how many prompts where these are more
    scores: dict[str, Cell]  # tool → the measure that decides
    difference: Cell = None
    p: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """Units on which both tools have about these ratios."""

    a: float
    b: float
    count: int


@dataclass(frozen=True, slots=True)
class Quadrants:
    """Units by which of two tools solves them with any sample."""

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True)
class Hero:
    """The difference between two tools as it is drawn first, and what to do about it."""

    a: str
    b: str
    difference: Points | None  # by how much b is better; None where the measure is no share
    margin: float | None  # the edge, as a share, beyond which the run's second tool is too bad
    advice: tuple[str, ...]
    a_place: int = 0  # of the tools among all, which decide their colours
    b_place: int = 1


@dataclass(frozen=True, slots=True)
class FailureShare:
    """One kind of failure: of each tool's candidates, how many and which share."""

    kind: str
    counts: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    a: str
    b: str
    solved: Quadrants
    dots: tuple[Dot, ...]
    ahead: int  # units on which b alone does better
    behind: int
    tied: int
    a_place: int = 0  # of the tools among all, which decide their colours
    b_place: int = 1


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One tool's samples of one unit, for the list of tasks."""

    outcome: Outcome  # of the first sample
    ratio: float
    passed: int  # tests of the first sample
    total: int
    solving: int  # samples that pass
    samples: int


@dataclass(frozen=True, slots=True)
class RankRange:
    """The ranks that a tool may have among all of the run."""

    tool: str
    place: int  # of the tool among all, which decides its colour
    best: int
    worst: int
    told: str  # "1–3"


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run in the history of a suite."""

    id: str
    label: str
    date: str
    shown: bool  # whether the report is of this run

    @property
    def name(self) -> str:
        return self.label or self.id


@dataclass(frozen=True, slots=True)
class SuiteHistory:
    """A measure of each tool in each run of a suite, the oldest run first."""

    suite: str
    measure: str  # its title
    runs: tuple[PastRun, ...]
    points: Mapping[str, tuple[Cell, ...]]  # tool → one a run
    notes: tuple[str, ...] = ()

    @property
    def shares(self) -> Mapping[str, tuple[Share | None, ...]]:
        """What a chart draws; empty where the measure is no share."""
        drawn = all_shares(cell for points in self.points.values() for cell in points)
        if not drawn:
            return {}
        return {
            tool: tuple(cell if isinstance(cell, Share) else None for cell in points)
            for tool, points in self.points.items()
        }


@dataclass(frozen=True, slots=True)
class PricedTool:
    """How good a tool is and what an answer of it costs."""

    tool: str
    place: int  # of the tool among all, which decides its colour
    quality: Cell
    cost: float
    cost_ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    tool: str
    place: int
    solved: tuple[float, ...]  # a column: share of the samples that solve its tasks


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Tools against tasks; a column is one task, or several of about the same difficulty."""

    columns: tuple[tuple[int, ...], ...]  # places in the list of tasks
    rows: tuple[HeatmapRow, ...]


@dataclass(frozen=True, slots=True)
class TaskRow:
    page: int | None  # None: the task has no page
    task: str
    suite: str
    language: str
    prompt_language: str
    prompt: str
    results: tuple[ToolResult | None, ...]  # in the order of the tools


@dataclass(frozen=True, slots=True)
class Site:
    title: str
    headline: str  # the answer in a few words
    sentences: tuple[str, ...]
    facts: tuple[str, ...]  # what was run, when and how
    hero: Hero | None  # where two tools stand against each other
    advice: tuple[str, ...]  # what to do about it, where tools were compared
    by: str  # the title of the measure that decides
    measures: tuple[str, ...]  # the titles of the scores; the first one decides
    explained: str  # what these measures mean
    tools: tuple[str, ...]
    scores: tuple[ToolScore, ...]
    head_to_head: HeadToHead | None
    groups: tuple[GroupScore, ...]
    failures: Table
    failure_shares: tuple[FailureShare, ...]
    gaps: Table
    rivals: Table | None  # all pairs of tools, where there are many
    ranks: tuple[RankRange, ...]  # the best first, where there are many
    rubric: tuple[Table, ...]
    tasks: tuple[TaskRow, ...]
    pages_note: str  # which tasks have a page; empty where all have
    last_page: int  # the number of the last one
    provenance: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    trust: Mapping[str, Sequence[tuple[str, str]]]  # suite → the lines of its trust card
    histories: tuple[SuiteHistory, ...] = ()  # where a suite was run more than once
    priced: tuple[PricedTool, ...] = ()  # where the cost of answers is known
    costs: Table | None = None
    heatmap: Heatmap | None = None  # where there are many tools
    words: tuple[tuple[str, str], ...] = ()  # words of the small print, with their meaning
    uneven: bool = False  # whether tasks have unlike numbers of samples
    several: bool = False  # whether any task has several samples

    @property
    def solved(self) -> str:
        """The title of the column that counts solved tasks."""
        return say("solved by any") if self.several else say("solved")

    def drawn(self, column: int) -> list[Share]:
        """The scores of a column that is drawn; empty where its measure is no share.

        Of many columns only the one that decides is drawn, so that all of them fit a page.
        """
        if column and len(self.measures) > _FEW_MEASURES:
            return []
        return all_shares(score.cells[column] for score in self.scores)

    @property
    def drawn_prices(self) -> list[PricedTool]:
        """What a chart of quality against cost shows; empty where quality is no share."""
        return list(self.priced) if all_shares(one.quality for one in self.priced) else []

    def pages(self) -> dict[tuple[str, str], int]:
        """Of suite and task, where the task has a page."""
        return {(row.suite, row.task): row.page for row in self.tasks if row.page is not None}


@dataclass(frozen=True, slots=True)
class Grade:
    grader: str
    dimension: str
    score: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ShownSample:
    """One candidate on its task's page."""

    tool: str
    prompt_language: str
    sample: int
    outcome: Outcome
    passed: int
    total: int
    judged: str
    seconds: float
    reason: str
    code: str
    source: str  # the whole program; empty where it is the code
    notes: tuple[str, ...]
    passed_tests: tuple[str, ...]  # their names
    failed_tests: tuple[FailedTest, ...]
    output: str
    said: str = ""  # of the reason, what is no remark on a line and no test's message
    remarks: tuple[Remark, ...] = ()
    costs: tuple[str, ...] = ()  # tokens, seconds and money, where they are known
    sent: str = ""  # the prompt that it answers, where that is known
    other_sets: str = ""  # of a task that any one of several sets of assertions solves
    grades: tuple[Grade, ...] = ()
    withheld: bool = False  # whether the code may not be shown
    prose: bool = False  # whether it is no code, as a refusal is


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts beside each other: of two tools, or of a tool and the reference."""

    title: str
    lines: tuple[DiffLine, ...]
    of_reference: bool = False


@dataclass(frozen=True, slots=True)
class PromptPage:
    """A task in one prompt language, and what every tool made of it."""

    prompt_language: str
    prompt: str
    attempts: dict[str, tuple[ShownSample, ...]]  # tool → its samples; empty: no answer
    meant: Mapping[str, str]  # tool without an answer → the id of one that was meant for this task
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskPage:
    page: int
    task: str
    suite: str
    language: Language
    signature: str
    context: str
    facts: tuple[tuple[str, str], ...] = ()
    asked: tuple[PromptPage, ...] = field(default=())
