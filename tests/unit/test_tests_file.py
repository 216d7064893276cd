"""What looks like a test in tests.py is one, or is refused with its line."""

from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.suites.native.fields import Fields
from polyassay.suites.native.mistakes import refuse_what_cannot_run
from polyassay.suites.native.task_json import task_of_author
from polyassay.suites.native.tests_file import parts_of
from unit.test_folder import LINE

FINE = "def test_one():\n    assert f(1) == 1\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("async def test_b():\n    assert f(1)\n", "line 3: test_b is async.*asyncio.run"),
        (
            "class TestX:\n    def test_c(self):\n        pass\n",
            'line 3: .*TestX.test_c; .*"pytest"',
        ),
        ("def tets_d():\n    assert f(1)\n", 'line 3: .*tets_d; did you mean "test_d"'),
        ("def Test_e():\n    assert f(1)\n", 'line 3: .*Test_e; did you mean "test_e"'),
        ("def test_f():\n    x = 1\n    return\n", "line 5: test_f cannot run: 'return' outside"),
        ("def test_g():\n    yield f(1)\n", "line 4: test_g cannot run: 'yield' outside"),
    ],
)
def test_no_test_vanishes(tmp_path: Path, code: str, words: str) -> None:
    (tmp_path / "tests.py").write_text(FINE + code)
    with pytest.raises(PolyAssayError, match=rf"tests\.py, {words}"):
        dict(parts_of(tmp_path / "tests.py"))


def test_helpers_stay_helpers(tmp_path: Path) -> None:
    helpers = (
        "def best():\n    return 3\n\nclass TestNode:\n    pass\n\ndef text(x):\n    return x\n\n"
        "def given():\n    return best()\n\ndef _test_later():\n    pass\n"
    )
    (tmp_path / "tests.py").write_text(FINE + helpers)
    found = dict(parts_of(tmp_path / "tests.py"))
    assert found == {
        "tests": [{"name": "test_one", "code": "assert f(1) == 1\n"}],
        "setup": helpers,
    }


def test_a_line_of_json_may_not_return_either() -> None:
    fields = Fields("x.jsonl, line 1", LINE | {"tests": [{"code": "f(1)\nreturn"}]})
    with pytest.raises(PolyAssayError, match=r'"tests\[0\].code" is not Python: line 2: .return'):
        refuse_what_cannot_run(fields, task_of_author(fields, "s"))
