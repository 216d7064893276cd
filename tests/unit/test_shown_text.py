"""What answers say, where it is shown: terminals, pages, tables of other programs."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from polyassay.cli.common import CleanConsole
from polyassay.model import CandidateKey, Judging, Outcome, TestResult, TestStatus, Verdict
from polyassay.report.exports.junit import write_junit
from polyassay.report.exports.rows import write_csv
from polyassay.report.site import page_environment
from polyassay.shown_text import clean, csv_cell, hide_passwords

HOSTILE = {
    "clears the screen": "\x1b[2J",
    "writes to the clipboard": "\x1b]52;c;cm0gLXJm\x07",
    "names a link": "\x1b]8;;http://example.org\x1b\\here\x1b]8;;\x1b\\",
    "resets the terminal": "\x1bc",
    "has a C1 introducer": "\x9b31m",
    "has a C1 string": "\x9d0;title\x9c",
    "turns the line around": "\u202egnp.exe",
    "isolates": "\u2066x\u2069\u200f\u061c",
    "overwrites the line": "passed\rfailed\x08\x08",
    "has half a character": "a\ud800b",
    "breaks lines oddly": "a\u2028b\x85c",
}
UNSAFE = set(map(chr, [*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0xD800, 0xE000)]))
UNSAFE |= set(
    "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def verdict(reason: str, tool: str = "finch") -> Verdict:
    return Verdict(
        CandidateKey("s", "t", tool, "en", 0),
        Outcome.FAILED,
        0,
        1,
        (TestResult("test_0", TestStatus.FAILED, reason),),
        Judging.APART,
        reason,
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_reaches_a_terminal_but_signs(text: str) -> None:
    out = io.StringIO()
    console = CleanConsole(file=out, force_terminal=False, highlight=False, width=80)
    table = Table(box=None)
    table.add_column("reason")
    table.add_row(Text(text))
    for shown in (Text(text), text, table):
        console.print(shown, markup=False)
    assert not UNSAFE & set(out.getvalue())
    out.getvalue().encode()


def test_a_terminal_keeps_the_colours_that_are_ours() -> None:
    out = io.StringIO()
    console = CleanConsole(file=out, force_terminal=True, color_system="standard")
    console.print(Text("\x1b[0m", "red"))
    assert out.getvalue() == "\x1b[31m␛[0m\x1b[0m\n"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_pages_and_exports_hold_no_unsafe_character(text: str) -> None:
    page = (
        page_environment().from_string("{{ text }} {{ text | code('python') }}").render(text=text)
    )
    out, xml = io.StringIO(), io.StringIO()
    write_csv([verdict(text)], out)
    write_junit([verdict(text)], xml)
    assert not UNSAFE & set(page + out.getvalue() + xml.getvalue())


@pytest.mark.parametrize(
    "start",
    ["=cmd()", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff20A"],
)
def test_no_cell_starts_a_formula(start: str) -> None:
    out = io.StringIO()
    write_csv([verdict(start, tool=start)], out)
    row = list(csv.reader(io.StringIO(out.getvalue())))[1]
    assert row[2].startswith("'")
    assert row[-1].startswith("'")
    assert row[4:8] == ["0", "failed", "0", "1"]


@given(st.text())
def test_clean_text_stays_clean_and_as_long(text: str) -> None:
    found = clean(text)
    assert not UNSAFE & set(found)
    assert (clean(found), len(found)) == (found, len(text))
    assert isinstance(csv_cell(text), str)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql+psycopg://me:s3cret@host:5432/db", "postgresql+psycopg://me:***@host:5432/db"),
        ("not postgresql://me:p@ss:word@host/db now", "not postgresql://me:***@host/db now"),
        ("x://host/db?user=me&password=s3cret&x=1", "x://host/db?user=me&password=***&x=1"),
        ("sqlite:////tmp/store.sqlite", "sqlite:////tmp/store.sqlite"),
    ],
)  # fmt: skip
def test_passwords_are_never_shown(address: str, shown: str) -> None:
    assert hide_passwords(address) == shown
