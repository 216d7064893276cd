"""What was said about lines of an answer, on pages and on a terminal."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from made import make_task, make_verdict
from polyassay.model import Language, Outcome, Program, Verdict
from polyassay.model import TestResult as Result
from polyassay.model import TestStatus as Status
from polyassay.report.highlight import highlight
from polyassay.report.tasks.failing import failed_tests
from polyassay.report.tasks.remarks import Remark, character, remarks
from polyassay.report.terminal.listing import print_code

CODE = "int f() {\n\treturn Util.one();\n}\n"
JAVAC = (
    "before the answer's first line: package q does not exist\n"
    "line 2, column 16: cannot find symbol\n  symbol: variable Util\n  location: class A\n"
    "line 30: reached end of file"
)


def unbuilt(reason: str) -> Verdict:
    found = make_verdict("t", 0, outcome=Outcome.UNBUILT, reason=reason)
    return replace(found, program=Program(CODE, code=CODE))


def test_a_compilers_words_go_to_their_lines_and_the_rest_stays() -> None:
    said, found = remarks(unbuilt(JAVAC), CODE, [])
    assert said.splitlines() == [JAVAC.splitlines()[0], JAVAC.splitlines()[-1]]
    told = "cannot find symbol\n  symbol: variable Util\n  location: class A"
    assert found == (Remark(2, told, CODE.splitlines()[1].index("Util") + 1),)


def test_reasons_of_older_runs_and_of_python() -> None:
    old = "line 1, column 5: ';' expected; line 2, column 9: cannot find symbol symbol: class A"
    said, found = remarks(unbuilt(old), CODE, [])
    assert (said, [(each.line, each.character) for each in found]) == ("", [(1, 5), (2, 2)])
    said, found = remarks(unbuilt("SyntaxError: no, at line 3 of the answer"), CODE, [])
    assert (said, found) == ("", (Remark(3, "SyntaxError: no"),))


def test_where_tests_were_ended_in_the_answer() -> None:
    at = [Result(name, Status.ERROR, "KeyError: 1, at line 2 of the answer") for name in "ab"]
    at += [Result("c", Status.ERROR, "boom (at line 1 of the answer)")]
    verdict = make_verdict("t", 0, tests=tuple(at), reason=f"a: {at[0].message}")
    said, found = remarks(verdict, CODE, failed_tests(make_task("t", 0), at))
    assert said == ""  # the test says it
    assert found == (Remark(2, "KeyError: 1"), Remark(1, "boom"))
    elsewhere = replace(verdict, reason="the process ended")
    assert remarks(elsewhere, CODE, [])[0] == "the process ended"


@pytest.mark.parametrize(
    ("line", "column", "found"),
    [("x = y", 5, 5), ("\tx", 9, 2), ("a\tx", 9, 3), ("x;", 3, 3), ("x", 7, 0), ("x", 0, 0)],
)
def test_columns_of_compilers(line: str, column: int, found: int) -> None:
    assert character(line, column) == found


def test_the_pages_mark_the_line_and_the_word() -> None:
    told = Remark(2, "cannot find <symbol>", 9)
    html = highlight(CODE, Language.JAVA, [told])
    assert re.findall(r'<span class="gr">(.*?)</span>', html) == ["Util"]
    lines = re.findall(r'<span class="(line marked|line|remark)">', html)
    assert lines == ["line", "line marked", "remark", "line"]
    assert "cannot find &lt;symbol&gt;" in html
    plain = re.sub(r"<[^>]*>", "", highlight(CODE, Language.JAVA))
    assert plain == CODE.expandtabs(4)
    past_the_end = highlight("x\n", Language.PYTHON, [Remark(1, "no", 2), Remark(1, "nor", 9)])
    assert re.findall(r'<span class="gr">(.*?)</span>', past_the_end) == ["x"]


def test_a_terminal_has_a_caret_where_the_line_is_whole() -> None:
    said = Remark(2, "cannot find symbol\n  symbol: variable Util", 9)
    wide = shown(said, 80)
    assert wide[1].startswith("❱ 2 ")
    assert wide[2].index("^") == wide[1].index("Util")
    assert [line.strip() for line in wide[3:5]] == said.said.replace("\n  ", "\n").splitlines()
    assert wide[5].split() == ["3", "}"]
    assert not any("^" in line for line in shown(said, 20))


def shown(remark: Remark, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    print_code(console, CODE, Language.JAVA, [remark])
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]
