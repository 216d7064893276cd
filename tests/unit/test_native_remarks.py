"""What is said of a suite's tests and files when it is added."""

from pathlib import Path

import pytest

from polyassay.suites.native import jsonl as native
from polyassay.suites.native.remarks import remarks
from polyassay.suites.native.unread import unread
from unit.test_folder import HEAD, lay_out

FINE = "def test_a():\n    assert same(1)\n"


def test_what_is_odd_is_remarked_on_and_added(tmp_path: Path) -> None:
    files = {
        "same/task.toml": 'language = "python"\nentry = "misspelt"\n',
        "same/tests.py": "def test_a():\n    assert f(1)\n",
        "same/prompt.md": "Do it.",
        "same/README.md": "",
    }
    (suite,) = native.read(lay_out(tmp_path, files), None)
    assert list(remarks(suite, tmp_path)) == [
        "No prompt, so that no tool can be asked: same.",
        'No test mentions the "entry" of its task: misspelt (task same).',
        "1 file is not read: same/prompt.md.",
    ]


@pytest.mark.parametrize(
    "test",
    [
        "assert True",
        'assert (same(1) == 1, "why")',
        "same(1) == 1",
        "pass",
        "x = 1",
    ],
)
def test_a_test_that_cannot_fail_is_named(tmp_path: Path, test: str) -> None:
    files = {
        "same/task.toml": HEAD + 'entry = "same"\n',
        "same/tests.py": f"{FINE}\ndef test_idle():\n    {test}\n",
        "pair/task.toml": HEAD,
        "pair/test_pair.py": f"class TestPair:\n    def test_idle(self):\n        {test}\n{FINE}",
    }
    (suite,) = native.read(lay_out(tmp_path, files), None)
    told = (
        "2 tests have no assertion or call that could fail: test_idle of pair, test_idle of same."
    )
    assert list(remarks(suite, tmp_path)) == [told]


@pytest.mark.parametrize("test", ["assert same(1)", "same(1)", "if x: raise OSError"])
def test_a_test_that_can_fail_is_not_named(tmp_path: Path, test: str) -> None:
    tests = f"x = 1\n{FINE}\ndef test_b():\n    {test}\n"
    files = {"same/task.toml": HEAD + 'entry = "same"\n', "same/tests.py": tests}
    (suite,) = native.read(lay_out(tmp_path, files), None)
    assert list(remarks(suite, tmp_path)) == []


def test_all_that_nothing_reads_is_named(tmp_path: Path) -> None:
    files = {
        "same/task.toml": HEAD + 'entry = "same"\n',
        "same/tests.py": FINE,
        "same/refrence.py": "",
        "echo/task.toml": HEAD,
        "echo/cases/a.in": "",
        "echo/cases/a.out": "",
        "echo/cases/short.inn": "",
        "echo/reference.py": "",
        "echo/data/a.txt": "",
        "pair/task.toml": HEAD,
        "pair/test_pair.py": "from pair import pair\n\n" + FINE,
        "pair/pair.py": "",
        "only/reference.py": "",
        "lib/a.txt": "",
        "notes.md": "",
        ".git/config": "",
    }
    (suite,) = native.read(lay_out(tmp_path, files), None)
    assert sorted(unread(tmp_path)) == [
        "echo/cases/short.inn",
        "echo/data/",
        "lib/a.txt",
        "notes.md",
        "only/ (it has no task.toml)",
        "same/refrence.py (is it reference.py?)",
    ]
    assert [one for one in remarks(suite, tmp_path) if one.startswith("6 files are not read: ")]
