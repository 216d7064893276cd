"""`show RUN`: where its figures come from, as a page that people read."""

import io
import re
from pathlib import Path

from click.testing import CliRunner
from rich.console import Console

from made import make_run, make_task, make_verdict
from polyassay.cli import polyassay
from polyassay.report.site import _in_words, _note
from polyassay.report.terminal.provenance import print_provenance
from polyassay.store import Store
from polyassay.texts import speaking


def shown(tmp_path: Path, *words: str) -> str:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    make_run(Store.open(url), [make_task("a")], [make_verdict("a", 2, tool="finch")], limit=4)
    done = CliRunner().invoke(
        polyassay, ["show", "latest", "--store", url, *words], catch_exceptions=False
    )
    assert done.exit_code == 0
    return done.output


def test_a_run_is_told_in_words(tmp_path: Path) -> None:
    lines = shown(tmp_path).splitlines()
    assert re.fullmatch(r"run \w+, started \d{4}-\d\d-\d\d \d\d:\d\d UTC", lines[0])
    named = {line[:16].strip(): line[16:] for line in lines[1:]}
    assert re.match(r"\w+.*, 1 task, checksum \S{1,12}$", named["suites"])
    assert named["tools"] == "finch, 1 answer"
    assert named["settings"] == "limit 4"
    assert not re.search(r"[{}\[\]]|None|null", "\n".join(lines))


def test_a_run_of_some_tasks_says_how_many(tmp_path: Path, store: Store) -> None:
    tasks = [make_task(name, suite=suite) for suite in ("s", "t") for name in "abc"]
    run = make_run(store, tasks, [make_verdict("a", 2, suite="s")])
    run.provenance["options"]["tasks"] = [["s", "a"], ["s", "b"]]
    out = io.StringIO()
    print_provenance(Console(file=out, width=200), run)
    assert "s 1.0, 2 of 3 tasks, checksum" in out.getvalue()
    assert "t 1.0, 0 of 3 tasks, checksum" in out.getvalue()
    assert "settings" not in out.getvalue()


def test_names_and_notes_are_words_of_the_page() -> None:
    assert [_in_words("es", "prompt_language"), _in_words("java", "language")] == [
        "Spanish",
        "Java",
    ]
    assert [_in_words("eo", "prompt_language"), _in_words("open", "domain")] == ["eo", "open"]
    with speaking("zh"):
        assert _in_words("es", "prompt_language") == "西班牙语"
        assert _note("from a fenced block") == "取自代码块"
        assert _note("added: import java.util.*") == "已添加：import java.util.*"
