"""Whatever a candidate prints, returns, names or says, the runner gets a verdict of it.

Fuzzers for every place where the runner touches text or bytes of a candidate. Their budget here
is small; `tools/fuzz` gives them a larger one.
"""

import base64
import contextlib
import io
import json
import os
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyassay.cli.common import CleanConsole
from polyassay.comparison import RULES, AnswerType, CellOutput
from polyassay.comparison.cell import Cell
from polyassay.comparison.output import OutputRule, difference
from polyassay.harness import Job
from polyassay.harness.notebook.report import report_of
from polyassay.harness.python.report import compare_output, to_xml
from polyassay.junit.report import verdict_of
from polyassay.junit.xml import Case, write_xml
from polyassay.model import (
    Candidate,
    CandidateKey,
    Judging,
    Language,
    Outcome,
    Program,
    Report,
    Style,
    Task,
    Test,
    TestStatus,
    Verdict,
)
from polyassay.report.exports.junit import write_junit
from polyassay.report.exports.rows import as_dict, write_csv
from polyassay.report.exports.sarif import write_sarif
from polyassay.report.highlight import highlight
from polyassay.report.site import page_environment
from polyassay.report.terminal.candidate import print_verdict
from polyassay_harness.wire import frames

# Also halves of characters, which Python's own texts may hold, and what looks like numbers.
ANY = st.text(st.characters(exclude_categories=[]))
NUMBERS = st.from_regex(r"[-+]?\d{1,5}(\.\d{0,5})?([eE][-+]?\d{1,5})?[%,\]]?", fullmatch=True)
SIGNS = ["[", "]", "(", ")", "nan", "<NA>", "1,234", ":", "%"]
SHOWN = st.lists(st.one_of(ANY, NUMBERS, st.sampled_from(SIGNS))).map(" ".join)
VALUES: st.SearchStrategy[object] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), ANY),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(ANY, inner)),
    max_leaves=8,
)
KEY = CandidateKey("s", "t", "tool", "en", 0)
CANDIDATE = Candidate(KEY, "")
TASK = Task("t", "s", Language.PYTHON, Style.FUNCTION, {"en": ""}, (Test("test_0"), Test("test_1")))
OURS = (Outcome.NOT_RUNNABLE, Outcome.HARNESS_ERROR)


def report(xml: str, **others: object) -> Report:
    return replace(Report(xml, Judging.APART, Program("")), **others)  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", RULES)
@given(st.sampled_from(AnswerType), st.lists(SHOWN, max_size=3), SHOWN)
@example(AnswerType.NUMBER, ["1"], "1.234e9999")
@example(AnswerType.NUMBERS, ["1.234e9999"], "1.2345e9999 1.234e-9999")
@example(AnswerType.TEXT, ["\ud800"], "\ud800")
def test_cells_are_compared(rule: str, kind: AnswerType, accepted: list[str], shown: str) -> None:
    match = RULES[rule](kind, accepted, CellOutput(shown, shown, shown))
    assert 0.0 <= match.f1 <= 1.0


@given(
    st.fixed_dictionaries(
        {"status": st.sampled_from(["ended", "timed_out", "crashed"])},
        optional={
            "printed": st.one_of(SHOWN, VALUES),
            "shown": st.one_of(
                VALUES,
                st.lists(
                    st.fixed_dictionaries(
                        {"kind": VALUES, "text": st.one_of(SHOWN, VALUES), "at": st.integers()}
                    )
                ),
            ),
            "start": VALUES,
            "error": ANY,
            "message": VALUES,
        },
    )
)
def test_a_cell_gets_a_verdict_of_its_own(found: dict[str, object]) -> None:
    cell = Cell((), AnswerType.NUMBER, ("1",))
    task = replace(TASK, tests=(Test("output"),), extra=cell.to_extra())
    job = Job(task, CANDIDATE, Program(""))
    report = report_of(job, Judging.APART, "default", {"cell": found})
    verdict = verdict_of(task, CANDIDATE, report)
    assert verdict.outcome not in OURS


@given(
    st.sampled_from([OutputRule(), OutputRule(exact=True), OutputRule(tolerance=1e-6)]),
    SHOWN,
    st.one_of(st.binary(), SHOWN.map(lambda text: text.encode("utf-8", "surrogatepass"))),
)
@example(OutputRule(tolerance=1e-6), "1e308", b"1e9999")
def test_outputs_are_compared(rule: OutputRule, expected: str, printed: bytes) -> None:
    assert isinstance(difference(rule, expected, printed), str)
    same = expected.encode("utf-8", "replace")
    assert difference(rule, same.decode(), same) == ""


FIELDS = st.sampled_from(["status", "type", "message", "seconds", "function"])


@given(st.lists(st.dictionaries(FIELDS, st.one_of(VALUES, st.sampled_from(list(TestStatus))))))
def test_results_of_a_guest_become_a_verdict(results: list[dict[str, object]]) -> None:
    named = [{**result, "name": f"test_{index}"} for index, result in enumerate(results)]
    verdict = verdict_of(TASK, CANDIDATE, report(to_xml(named)))
    assert verdict.outcome not in OURS
    assert 0 <= verdict.passed <= verdict.total


@given(st.binary())
def test_printed_bytes_become_a_verdict(printed: bytes) -> None:
    task = replace(TASK, style=Style.PROGRAM)
    encoded = base64.b64encode(printed).decode()
    results = [{"name": test.name, "status": "ended", "stdout": encoded} for test in task.tests]
    xml = to_xml(compare_output(task, results))
    assert verdict_of(task, CANDIDATE, report(xml)).outcome in (Outcome.PASSED, Outcome.FAILED)


@pytest.mark.parametrize("style", [Style.FUNCTION, Style.SETS])
@given(
    st.lists(st.builds(Case, ANY, st.sampled_from(TestStatus), ANY, ANY, st.floats(), ANY)),
    ANY,
)
def test_reports_are_read_back(style: Style, cases: list[Case], name: str) -> None:
    tests = (Test("a/test_0"), Test("b/test_0"))
    verdict = verdict_of(
        replace(TASK, style=style, tests=tests), CANDIDATE, report(write_xml(name, cases))
    )
    assert verdict.outcome not in OURS
    assert verdict.passed <= verdict.total


@given(
    st.one_of(
        ANY,
        st.from_regex(r"<testsuites?( \w+=\"[^\"<&]{0,9}\")*>(<testcase[^<>&]*/>)*</testsuites?>"),
        st.text("<>/&;!?\"'= testcase\x00\ufffe", max_size=60),
    )
)
def test_what_pytest_left_behind_is_never_ours(xml: str) -> None:
    verdict = verdict_of(TASK, CANDIDATE, report(xml))
    assert verdict.outcome not in (*OURS, Outcome.PASSED)


@given(ANY, ANY, ANY)
def test_verdicts_are_shown_and_exported(reason: str, code: str, name: str) -> None:
    cases = [Case("test_0", TestStatus.ERROR, name, reason), Case(name, TestStatus.PASSED)]
    program = Program(source=code, code=code, notes=(name,))
    verdict: Verdict = verdict_of(
        TASK, CANDIDATE, report(write_xml("x", cases), program=program, output=code, reason=reason)
    )
    verdict = replace(verdict, candidate=replace(KEY, tool=name or "t", task=name))
    json.loads(json.dumps(as_dict(verdict)))
    for write in (write_csv, write_junit, write_sarif):
        out = io.StringIO()
        write([verdict], out)
        out.getvalue().encode()
    out = io.StringIO()
    print_verdict(CleanConsole(file=out, width=80), TASK, verdict)
    out.getvalue().encode()


@given(st.one_of(ANY, st.text("\"'\\/*{}()<>@#\n\t ab0")), st.sampled_from(Language))
def test_code_is_coloured(code: str, language: Language) -> None:
    template = page_environment().from_string("{{ code | code(language) }} {{ code }}")
    page = template.render(code=code, language=language)
    page.encode()
    assert "<script" not in highlight("<script>" + code, language)


@given(st.binary())
def test_frames_are_read_or_refused(content: bytes) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0) as out:
        out.write(len(content).to_bytes(4, "big") + content)
        out.close()
        with contextlib.suppress(frames.Broken, frames.StreamEnded):
            assert isinstance(frames.receive(reading), dict)
