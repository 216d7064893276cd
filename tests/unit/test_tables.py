import csv
import io
import json

from rich.console import Console

from polyassay.cli.common import print_whole
from polyassay.report.tables import (
    OutOf,
    Points,
    Share,
    Table,
    csv_text,
    json_text,
    latex,
    markdown,
    rich_table,
)

TABLE = Table(
    ("tool", "pass@1", "gap", "solved"),
    (
        ("a_b|c", Share(0.486, 0.413, 0.56), Points(-0.042, -0.1, 0.02), OutOf(85, 175)),
        ("d", Share(0.5), None, OutOf(0, 3)),
    ),
    ("Left out: 1 task.",),
)


def test_a_terminal_gets_aligned_columns_that_never_wrap() -> None:
    out = io.StringIO()
    Console(file=out, width=120).print(rich_table(TABLE))
    assert "48.6 %  41.3–56.0" in out.getvalue()
    assert "−4.2  −10.0 to 2.0" in out.getvalue()
    assert "85/175" in out.getvalue()
    narrow = io.StringIO()
    Console(file=narrow, width=30).print(rich_table(TABLE))
    assert len(narrow.getvalue().splitlines()) == len(out.getvalue().splitlines())


def test_no_number_is_cut_however_narrow_the_terminal_is() -> None:
    out = io.StringIO()
    console = Console(file=out, width=20)
    print_whole(console, rich_table(TABLE))
    assert "…" not in out.getvalue() and console.width == 20
    (line,) = (line for line in out.getvalue().splitlines() if "a_b|c" in line)
    assert "48.6 %  41.3–56.0" in line and "−10.0 to 2.0" in line and "85/175" in line


def test_markdown_escapes_its_bars() -> None:
    assert markdown(TABLE).splitlines() == [
        "| tool | pass@1 | gap | solved |",
        "| --- | ---: | ---: | ---: |",
        "| a_b\\|c | 48.6 % (41.3–56.0) | −4.2 (−10.0 to 2.0) | 85/175 |",
        "| d | 50.0 % |  | 0/3 |",
        "",
        "Left out: 1 task.",
    ]


def test_csv_and_json_hold_plain_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(TABLE))))
    assert rows[0]["pass@1 low"] == "0.413"
    assert rows[0]["solved of"] == "175"
    assert rows[1]["pass@1 low"] == ""
    assert json.loads(json_text(TABLE))[0]["gap"] == -0.042


def test_latex_escapes_what_it_would_run() -> None:
    text = latex(Table(("tool", "n"), (("a_b & 50 % \\input{x}", 3),)))
    assert r"a\_b \& 50 \% \textbackslash{}input\{x\} & 3 \\" in text
    assert text.startswith("\\begin{tabular}{lr}\n")
