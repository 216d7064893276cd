"""A report without tests, references, answers or prompts says none of them anywhere."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.model import Program
from polyassay.model import TestResult as Result
from polyassay.model import TestStatus as Status
from polyassay.store import Store

SECRETS = {
    "tests": ("test_of_secret", "message of a test"),
    "references": ("reference_text",),
    "answers": ("answer_text", "printed by it"),
    "prompts": ("prompt text", "signature_text", "context_text"),
}


def written(folder: Path, *options: str) -> str:
    task = make_task(
        "t",
        0,
        prompts={"en": "prompt text"},
        signature="def signature_text()",
        context="context_text = 1",
        reference="reference_text = 2",
    )
    tests = (
        Result("test_of_secret", Status.FAILED, "message of a test"),
        Result("test_of_secret_2", Status.PASSED),
        *(Result(f"test_of_secret_{n}", Status.NOT_RUN) for n in (3, 4)),
    )
    verdicts = [
        make_verdict(
            "t",
            1,
            tool=tool,
            tests=tests,
            program=Program(source="answer_text", code="answer_text"),
            output="printed by it",
            reason="test_of_secret: message of a test",
        )
        for tool in ("a", "b")
    ]
    url = f"sqlite:///{folder / 'store.sqlite'}"
    make_run(Store.open(url), [task], verdicts)
    arguments = ["report", "latest", "-o", str(folder / "site"), "--store", url, *options]
    done = CliRunner().invoke(polyassay, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return "".join(path.read_text() for path in (folder / "site").rglob("*.*") if path.is_file())


@pytest.mark.parametrize("what", SECRETS)
def test_what_is_left_out_is_nowhere(what: str, tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    whole, part = written(tmp_path / "with"), written(tmp_path, "--without", what)
    for name, texts in SECRETS.items():
        for text in texts:
            assert text in whole
            quoted = name == "references" and what == "answers"  # only beside an answer
            if name != what and not quoted and text != "printed by it":
                assert text in part, text
    for text in SECRETS[what]:
        assert text not in part


def test_withheld_tests_are_counted_by_how_they_ended(tmp_path: Path) -> None:
    shown = written(tmp_path, "--without", "tests")
    listed = re.findall(r'<li class="s-(\w+)">(.*?)</li>', shown, re.DOTALL)
    found = {(status, re.sub(r"<[^>]*>", " ", text).split()[1]) for status, text in listed}
    assert found == {("failed", "1"), ("not_run", "2"), ("passed", "1")}
    assert "1 tests" not in shown


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(polyassay, ["report", "x", "-o", "y", "--without", "all"])
    assert 'cannot be without "all"' in str(done.exception) + done.output
