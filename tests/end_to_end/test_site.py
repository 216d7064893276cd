"""The documents as one site: tools/docs builds it, and stops at a link that leads nowhere."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from documents import ROOT
from polyassay.cli import COMMANDS
from polyassay.schemas import SCHEMAS
from scripts import script


def build(output: Path, patch: pytest.MonkeyPatch, root: Path = ROOT) -> int:
    docs = script("docs")
    patch.setattr(docs, "ROOT", root)
    patch.setattr(sys, "argv", ["docs", "--output", str(output)])
    code: int = docs.main()
    return code


def test_the_site_has_every_page_command_and_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(tmp_path, monkeypatch) == 0
    site = tmp_path / "site"
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT).with_suffix(".html")).exists()
    for command in COMMANDS:
        assert f"polyassay {command}" in (site / "reference" / f"{command}.html").read_text("utf-8")
    formats = (site / "reference" / "formats.html").read_text("utf-8")
    assert all(f'id="{name}"' in formats for name in SCHEMAS)
    found = json.loads((site / "search.json").read_text("utf-8"))
    assert "bubblewrap" in json.dumps(found)


def test_the_site_loads_nothing_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build(tmp_path, monkeypatch) == 0
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"""(?:src=|<link[^>]*href=)["']?(?:https?:)?//""", text), page
        assert "run first:" not in text  # marks are for tests


def test_a_link_that_leads_nowhere_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "checkout"
    shutil.copytree(ROOT / "docs", root / "docs")
    for page in (*ROOT.glob("*.md"), ROOT / "LICENSE", *ROOT.glob("datasets/*.md")):
        (root / page.relative_to(ROOT)).parent.mkdir(exist_ok=True)
        shutil.copyfile(page, root / page.relative_to(ROOT))
    with (root / "README.md").open("a") as readme:
        readme.write("\n[nowhere](docs/nowhere.md)\n")
    assert build(tmp_path / "out", monkeypatch, root) == 1
    assert "page does not exist" in capsys.readouterr().err
