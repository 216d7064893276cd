"""What the sections of a run's page are made of."""

from dataclasses import replace

from made import make_run, make_task, make_verdict
from polyassay.measures.results import load
from polyassay.model import Outcome
from polyassay.report.sections import history as module
from polyassay.report.sections.costs import cost_table, priced_tools
from polyassay.report.sections.heatmap import heatmap
from polyassay.report.sections.history import histories
from polyassay.report.tables import Share, csv_text
from polyassay.report.views import TaskRow, ToolResult
from polyassay.store import Store

TASKS = [make_task(str(i)) for i in range(8)]


def verdicts(tool: str, solved: int, tasks: int = 8) -> list:  # type: ignore[type-arg]
    return [make_verdict(str(i), 2 if i < solved else 1, tool=tool) for i in range(tasks)]


def test_history_has_only_runs_whose_figures_mean_the_same() -> None:
    store = Store.open("sqlite://")
    make_run(store, TASKS, verdicts("heron", 2))
    make_run(store, TASKS, verdicts("heron", 3), timeout=5.0)  # judged in another way
    make_run(store, TASKS[:4], verdicts("heron", 3, 4))  # another version of the suite
    run = make_run(store, TASKS, [*verdicts("heron", 4), *verdicts("reference", 8)])
    (found,) = histories(store, load(store, run))
    assert [one.value for one in found.points["heron"] if isinstance(one, Share)] == [0.25, 0.5]
    assert list(found.points) == ["heron"]
    assert [one.shown for one in found.runs] == [False, True]
    assert found.notes == (
        "Not shown, because they were judged on another version or in another way: 2 runs.",
    )


def test_history_reads_no_more_than_it_can_show(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    store = Store.open("sqlite://")
    for solved in range(5):
        make_run(store, TASKS, verdicts("heron", solved))
    run = make_run(store, TASKS, verdicts("heron", 6))
    monkeypatch.setattr(module, "_MOST_CANDIDATES", 20)
    (found,) = histories(store, load(store, run))
    assert [one.value for one in found.points["heron"] if isinstance(one, Share)] == [
        3 / 8,
        4 / 8,
        6 / 8,
    ]
    assert "older" in found.notes[0]
    assert found.notes[0].endswith("3 runs.")


def test_one_run_has_no_history() -> None:
    store = Store.open("sqlite://")
    run = make_run(store, TASKS, verdicts("heron", 2))
    assert histories(store, load(store, run)) == []


def test_only_tools_with_a_cost_are_priced() -> None:
    store = Store.open("sqlite://")
    both = [*verdicts("heron", 2), *verdicts("finch", 4)]
    run = make_run(store, TASKS, both, costs={"finch": 0.5})
    scores = load(store, run).scores
    (priced,) = priced_tools(scores)
    assert isinstance(priced.quality, Share)
    assert (priced.tool, priced.cost, priced.quality.value) == ("finch", 0.5, 0.5)
    assert list(scores)[priced.place] == "finch"
    table = cost_table(scores, [priced])
    assert table.notes == ("Cost unknown: heron.",)
    # Eight answers for 0.5 each solve four tasks.
    assert table.rows[0][table.columns.index("cost per solved task")].value == 1.0  # type: ignore[union-attr]


def row(task: int, *solving: int | None) -> TaskRow:
    results = tuple(
        None if n is None else ToolResult(Outcome.FAILED, 0.5, 1, 2, n, 2) for n in solving
    )
    return TaskRow(task, str(task), "s", "java", "en", "", results)


def test_the_heatmap_goes_from_easy_to_hard_and_from_good_to_bad() -> None:
    found = heatmap([row(0, 0, 1, None), row(1, 2, 2, 2), row(2, 0, 2, 1)], ["a", "b", "c"])
    assert found.columns == ((1,), (2,), (0,))
    assert [(one.tool, one.solved) for one in found.rows] == [
        ("b", (1.0, 1.0, 0.5)),
        ("c", (1.0, 0.5, 0.0)),
        ("a", (1.0, 0.0, 0.0)),
    ]


def test_many_tasks_share_columns_and_none_is_lost() -> None:
    tasks = [row(i, i % 3, 2, 0) for i in range(1000)]
    found = heatmap(tasks, ["a", "b", "c"])
    assert len(found.columns) == 60
    assert sorted(place for column in found.columns for place in column) == list(range(1000))
    assert {len(column) for column in found.columns} <= {16, 17}


def test_csv_keeps_numbers_and_disarms_formulas() -> None:
    store = Store.open("sqlite://")
    run = make_run(store, TASKS, [replace(one) for one in verdicts("=cmd", 2)], costs={"=cmd": 1.0})
    scores = load(store, run).scores
    text = csv_text(cost_table(scores, priced_tools(scores)))
    assert text.splitlines()[1].startswith("'=cmd,0.25,")
