"""Many pages of a report are written by several processes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from polyassay.model import Language
from polyassay.report.tasks import writing
from polyassay.report.views import TaskPage


def open_writer(folder: Path) -> Callable[[TaskPage], None]:
    def write(page: TaskPage) -> None:
        if page.task == "bad":
            raise OSError(28, "No space left on device")
        (folder / str(page.page)).write_text(page.task)

    return write


def page(number: int, task: str = "good") -> TaskPage:
    return TaskPage(number, task, "s", Language.PYTHON, "", "")


@pytest.mark.parametrize("count", [3, writing.ALONE + 4])
def test_many_pages_are_written_by_several_processes(tmp_path: Path, count: int) -> None:
    written = writing.write_pages(map(page, range(count)), partial(open_writer, tmp_path), 1)
    assert written == count
    assert {path.name for path in tmp_path.iterdir()} == set(map(str, range(count)))


def test_what_fails_in_another_process_is_told(tmp_path: Path) -> None:
    pages = [*map(page, range(writing.ALONE)), page(99, "bad"), page(100)]
    with pytest.raises(OSError, match="No space left"):
        writing.write_pages(pages, partial(open_writer, tmp_path), 1)
