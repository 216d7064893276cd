"""One candidate in full, on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from polyassay.model import LUCKY, Task, TestResult, TestStatus, Verdict
from polyassay.report.tasks.assertion_sets import decisive_tests, other_sets
from polyassay.report.tasks.failing import FailedTest, failed_tests
from polyassay.report.tasks.remarks import remarks
from polyassay.report.terminal.listing import print_code, print_items, print_labelled
from polyassay.shown_text import clean
from polyassay.wording import NO_CODE

MARKS = {TestStatus.PASSED: ("✓", "green"), TestStatus.NOT_RUN: ("·", "dim")}
FAILED_MARK = ("✗", "red")


def print_verdict(console: Console, task: Task, verdict: Verdict) -> None:
    """A candidate in full: prompt, code, and what became of each test."""
    key = verdict.candidate
    counts = f" {verdict.passed}/{verdict.total} · judged {verdict.judged}"
    console.print(
        Text.assemble(  # no markup: names are whatever a file says
            (f"{key.suite} {key.task}", "bold"),
            f" · {key.tool} · {key.prompt_language} · sample {key.sample} · ",
            (verdict.outcome.replace("_", " "), "bold"),
            f"{counts} · {verdict.seconds:.2f} s",
        )
    )
    prompt = task.prompts.get(key.prompt_language, "")
    print_labelled(console, "prompt", prompt)
    print_labelled(console, "answer", "; ".join(verdict.program.notes) or "as it is")
    if LUCKY in verdict.flags:
        console.print(Text("  lucky     other hash seeds, addresses or orders change the verdict"))
    code = clean(verdict.program.code or verdict.program.source)
    failed = failed_tests(task, decisive_tests(task, verdict))
    reason, at_lines = remarks(verdict, code, failed)
    if reason:
        print_labelled(console, "reason", reason)
    console.print()
    if verdict.program.problem == NO_CODE:  # a refusal has no keywords
        console.print(Text(code))
    else:
        print_code(console, code, task.language, at_lines)
    _show_tests(console, failed, decisive_tests(task, verdict))
    if verdict.solved_by:
        by = verdict.solved_by
        console.print(Text(f"  solved by {by.function}, set {by.set}"))
    if others := other_sets(verdict):
        console.print(Text(f"  {others}"))
    if verdict.output.strip():
        console.print(Text(f"\n  printed\n{verdict.output.rstrip()}"))


def _show_tests(
    console: Console, found: Sequence[FailedTest], results: Sequence[TestResult]
) -> None:
    passed = [result for result in results if result.status is TestStatus.PASSED]
    if passed:
        print_items(console, [f"✓ {result.name}" for result in passed], "green")
    for failed in found:
        mark, colour = MARKS.get(failed.status, FAILED_MARK)
        told = failed.message or ("" if failed.values else failed.status.replace("_", " "))
        parts = [f"{mark} {', '.join(failed.names)}", told, failed.place]
        console.print(Text("  " + "   ".join(filter(None, parts)), colour))
        if failed.values:
            expected, actual = (value or "(empty)" for value in failed.values)
            console.print(Text(f"      expected  {expected}\n      found     {actual}"))
        for line in failed.source:
            pointer = "›" if line.failing else " "
            style = "bold" if line.failing else "dim"
            console.print(Text(f"    {pointer} {line.number:>4}  {line.text}", style))
