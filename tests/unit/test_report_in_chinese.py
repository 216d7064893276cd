"""`report --language zh`: nothing but names, code and messages of tools stays English."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from markupsafe import escape

from made import make_run
from made_report import large_run
from polyassay.cli import polyassay
from polyassay.model import Outcome
from polyassay.store import Store
from polyassay.texts import say, speaking
from polyassay.texts.chinese import CHINESE, CHINESE_SCRIPTS
from polyassay.texts.judged import JUDGED, retold
from real_parts import ROOT

# Names, and what a Chinese text writes with Latin letters too.
NAMES = r"""
    finch|heron|owl|wren|pads-java|pads-python|java|python|Java|Python|en|zh|closed|open|PolyAssay|polyassay
    |pass@1|AvgPassRatio|CSV|Markdown|JavaScript|UTC|Holm|Bonferroni|Spearman|token|p|n|test_\d+
    |worker|auto|bubblewrap|Linux|x\d+_\d+|r[0-9a-z]{3,}|[0-9a-f]{6,12}
    |suites|check|mutants|repeat|power|sub|details|summary|difference|from|answered-only|reuse|JVM
"""
LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_@]*(?:-[A-Za-z0-9]+)*")
KNOWN = re.compile(re.sub(r"\s", "", NAMES))
# What suites, tools and people wrote.
FOREIGN_TAGS = {"blockquote", "pre", "code", "script", "style", "q"}
FOREIGN = {"name", "values"}
VOID = {"meta", "link", "input", "br", "rect", "line", "circle", "path", "polyline"}
ATTRIBUTES = ("aria-label", "title", "placeholder", "data-text")


class Texts(HTMLParser):
    """All texts and spoken attributes of a page, but for what others wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._foreign: list[bool] = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = set((given.get("class") or "").split())
        foreign = self._foreign[-1] or tag in FOREIGN_TAGS or bool(classes & FOREIGN)
        if not foreign:
            self.found += [given[name] or "" for name in ATTRIBUTES if name in given]
        if tag not in VOID:
            self._foreign.append(foreign)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass  # of drawings, whose titles are elements

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._foreign.pop()

    def handle_data(self, data: str) -> None:
        if not self._foreign[-1]:
            self.found.append(data)


def texts(page: Path) -> list[str]:
    parser = Texts()
    parser.feed(page.read_text("utf-8"))
    assert len(parser.found) > 20
    return parser.found


def english(found: list[str]) -> dict[str, str]:
    """Words that should not be there, each with the text that has it; a command stays as it is."""
    return {
        word: text
        for text in found
        for word in LATIN.findall(re.sub("`polyassay [^`]*`", "", text))
        if not KNOWN.fullmatch(word)
    }


@pytest.fixture(scope="module", params=[2, 4])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tools with a margin; four with costs and a history."""
    folder = tmp_path_factory.mktemp("zh")
    url = f"sqlite:///{folder / 'store.sqlite'}"
    run = large_run(60, ("finch", "heron", "owl", "wren")[: request.param])
    for _ in range(request.param // 2):
        make_run(Store.open(url), *run, costs={"owl": 0.01}, shake=3)
    arguments = ["report", "latest", "--language", "zh", "--margin", "5", "--store", url]
    done = CliRunner().invoke(
        polyassay, [*arguments, "-o", str(folder / "site")], catch_exceptions=False
    )
    assert done.exit_code == 0
    return folder / "site"


def test_no_text_of_the_first_page_is_english(site: Path) -> None:
    found = texts(site / "index.html")
    assert english(found) == {}
    assert 'lang="zh"' in (site / "index.html").read_text("utf-8")
    assert not [text for text in found if re.search(r"\d %|[一-鿿]\. ", text)]


def test_no_text_of_a_task_page_is_english(site: Path) -> None:
    for number in range(0, 60, 7):
        assert english(texts(site / "tasks" / f"{number}.html")) == {}


def test_scripts_find_their_sentences(site: Path) -> None:
    text = (site / "tasks.js").read_text("utf-8")
    words = json.loads(text.removeprefix("window.POLYASSAY=").removesuffix(";\n"))["words"]
    assert words == dict(CHINESE_SCRIPTS)
    static = ROOT / "runner/polyassay/report/static"
    source = "".join(path.read_text("utf-8") for path in static.glob("*.js"))
    calls = re.findall(r'say\((?:[^"()]*\?\s*)?"([^"]+)"(?:\s*:\s*"([^"]+)")?', source)
    said = {sentence for pair in calls for sentence in pair if sentence}
    assert len(said) > 20
    assert said - words.keys() == set()
    outcomes = {outcome.replace("_", " ") for outcome in Outcome}
    assert outcomes - words.keys() == set()


@pytest.mark.parametrize(
    ("told", "chinese"),
    [
        ("the answer is empty", "答案为空"),
        ("added: import java.util.*", "已添加：import java.util.*"),
        ("from fenced block 1 of 2", "取自 2 个代码块中的第 1 个"),
        ('the answer defines "f" and not "h"', "答案定义了 &#34;f&#34;，而不是 “h”"),
        ("<x>, at line 3 of the answer", '<q lang="en">&lt;x&gt;</q>（答案第 3 行）'),
        (
            "KeyError: 1, at line 3 of the answer (at line 2 of the test)",
            '<q lang="en">KeyError: 1</q>（答案第 3 行）（测试第 2 行）',
        ),
        ("line 1: expected 'a' but was 'b'", "第 1 行：期望 &#39;a&#39;，实际 &#39;b&#39;"),
        ("line 3, column 9: no symbol", '第 3 行第 9 列：<q lang="en">no symbol</q>'),
        ("Killed", '<q lang="en">Killed</q>'),
        ("the tests read streams", "测试读取流"),
    ],
)  # fmt: skip
def test_of_what_judging_said_our_words_are_chinese_and_others_are_quoted(
    told: str, chinese: str
) -> None:
    assert retold(told) == escape(told)
    with speaking("zh"):
        assert retold(told) == chinese


def test_what_judging_says_is_said_in_the_same_words_where_it_is_judged() -> None:
    """A sentence that is worded anew would stay English on the page."""
    sources = [path for root in ("runner", "python-harness", "java-harness/src/main")
               for path in (ROOT / root).rglob("*") if path.suffix in (".py", ".java")]  # fmt: skip
    code = "".join(path.read_text("utf-8") for path in sources if path.name != "judged.py")
    for english in JUDGED:
        longest = max(re.split(r"\{\w+\}", english), key=len)
        assert longest.strip() in code, english


def test_both_languages_fill_in_the_same_values() -> None:
    for table in (CHINESE, CHINESE_SCRIPTS, JUDGED):
        for sentence, chinese in table.items():
            fields = re.findall(r"\{\w+\}", sentence)
            assert sorted(fields) == sorted(re.findall(r"\{\w+\}", chinese)), sentence


def test_english_is_spoken_again_after_a_chinese_report() -> None:
    with speaking("zh"):
        assert say("Scores") == "得分"
    assert say("Scores") == "Scores"
