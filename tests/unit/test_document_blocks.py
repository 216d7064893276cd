"""Every code block of every document is run by a test, or says why it is not."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from documents import ROOT, Block, blocks, pages
from polyassay.schemas import SCHEMAS

BLOCKS = [block for page in pages() for block in blocks(page)]


def test_no_block_is_without_a_promise() -> None:
    assert len(BLOCKS) > 40
    assert [f"{block}: {block.problem}" for block in BLOCKS if block.problem] == []


def test_a_test_that_is_named_takes_the_block_from_its_page() -> None:
    named = [(block, block.mark("run by")) for block in BLOCKS if block.mark("run by")]
    assert named
    for block, test in named:
        assert str(block.page.relative_to(ROOT)) in (ROOT / test).read_text("utf-8"), str(block)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.mark("schema")], ids=str)
def test_a_block_with_a_schema_keeps_it(block: Block) -> None:
    schema = SCHEMAS[block.mark("schema")]()
    if block.language == "toml":
        values = [tomllib.loads(block.text)]
    else:
        values = [json.loads(line) for line in block.text.splitlines()]
    for value in values:
        jsonschema.validate(value, schema)


def made(tmp_path: Path, text: str) -> list[Block]:
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    return list(blocks(page))


def test_blocks_have_their_marks_text_and_problems(tmp_path: Path) -> None:
    run, other, file, odd = made(
        tmp_path,
        "Text.\n<!-- run first: a\nb -->\n```\n$ polyassay doctor\n ok\n```\n"
        "```toml\nx = 1\n```\n"
        "- a list\n  <!-- file: x.toml -->\n\n  ```toml\n  x = 1\n  ```\n"
        "<!-- later: never -->\n```\n```\n",
    )
    assert (run.mark("run first"), run.script, run.problem) == ("a\nb", "polyassay doctor\n", "")
    assert "needs a mark" in other.problem
    assert (file.mark("file"), file.text, file.problem) == ("x.toml", "x = 1\n", "")
    assert "'later' is none of" in odd.problem


def test_a_fence_that_is_never_closed_is_found(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not in list"):
        made(tmp_path, "```\nx\n")


def test_tools_that_documents_name_are_there() -> None:
    named = {
        name
        for page in pages()
        for name in re.findall(r"\btools/([a-z][a-z-]+)\b(?!-)", page.read_text("utf-8"))
    }
    assert {name for name in named if not (ROOT / "tools" / name).exists()} == set()
