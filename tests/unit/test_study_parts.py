"""Study files, variants, consent and what settings do."""

from pathlib import Path
from typing import Any

import pytest

from made import make_task, make_verdict
from polyassay.errors import PolyAssayError
from polyassay.generate.tools import tool_from
from polyassay.measures.units import Scores, collect, expected_units
from polyassay.store import Run
from polyassay.study.consent import Consent, is_here
from polyassay.study.effects import against, effects_of
from polyassay.study.file import Study, read_study
from polyassay.study.page import write_page
from polyassay.study.state import StudyState, run_to_resume
from polyassay.study.variants import variants

STUDY = """\
suites = ["starter-java", "starter-python"]
samples = 5

[[tool]]
name = "local"
via = "openai"
model = "qwen"
base_url = "http://127.0.0.1:8080/v1"
api_key_env = "LOCAL_KEY"
temperature = 0.8
max_tokens = 1024
price = { input = 0.10, output = 0.40, currency = "USD", per = 1_000_000, as_of = "2026-11-01" }

[[tool]]
name = "mine"
via = "command"
command = ["my-tool", "{prompt_file}"]

[[tool]]
name = "copilot"
via = "files"
path = "answers/copilot"

[prompt]
seed = 3

[vary]
examples = [0, 1, 3]
temperature = [0.2, 0.8]

[compare]
baseline = "copilot"
measure = "pass@1"
margin = 3.0
"""


def study(tmp_path: Path, text: str = STUDY) -> Study:
    (tmp_path / "study.toml").write_text(text)
    return read_study(tmp_path / "study.toml")


def test_a_whole_study(tmp_path: Path) -> None:
    found = study(tmp_path)
    assert (found.suites, found.samples) == (("starter-java", "starter-python"), 5)
    assert (found.baseline, found.measure, found.margin) == ("copilot", "pass@1", 3.0)
    names = [variant.tool.name for variant in variants(found)]
    assert names == [
        "local[examples:0,temperature:0.2]",
        "local[examples:0,temperature:0.8]",
        "local[examples:1,temperature:0.2]",
        "local[examples:1,temperature:0.8]",
        "local[examples:3,temperature:0.2]",
        "local[examples:3,temperature:0.8]",
        "mine[examples:0]",  # a command takes no temperature
        "mine[examples:1]",
        "mine[examples:3]",
        "copilot",  # answers that exist cannot be asked for again
    ]
    one = variants(found)[3]
    assert one.settings.examples == 1
    assert one.settings.seed == 3
    assert one.tool.values["temperature"] == 0.8
    assert one.path == tmp_path / "study-answers" / "local_examples_1_temperature_0.8.jsonl"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("samples = 5", "samples = 0", 'study.toml, line 2: "samples" must be a whole number'),
        ("samples = 5", "sampels = 5", 'line 2: a study has no "sampels" here'),
        ('via = "command"', 'via = "comand"', "line 14: the tool"),
        ("examples = [0, 1, 3]", "exmples = [1]", 'line 28: a study has no "exmples" here'),
        ("examples = [0, 1, 3]", 'examples = ["x"]', "line 28: examples must be a whole number"),
        ("examples = [0, 1, 3]", "examples = [1, 1]", "has a value twice"),
        ('baseline = "copilot"', 'baseline = "copilto"', 'line 32: there is no tool "copilto"'),
        ('name = "mine"', 'name = "local"', 'two tools "local"'),
        ("seed = 3", "sed = 3", 'line 25: a study has no "sed" here'),
        ("samples = 5", "samples = = 5", "is not TOML"),
        ('suites = ["starter-java", "starter-python"]', "", "names no suite"),
        ("[[tool]]", "[tol]", ""),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    before: str, after: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(PolyAssayError) as error:
        study(tmp_path, STUDY.replace(before, after, 1))
    assert told in error.value.problem
    assert error.value.hint


def test_prompt_languages_make_no_variants(tmp_path: Path) -> None:
    text = STUDY.replace("examples = [0, 1, 3]", 'prompt_language = ["en", "zh"]')
    found = study(tmp_path, text)
    assert found.languages == ("en", "zh")
    assert len(variants(found)) == 4


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("", True),
        ("10.0.0.1", False),
        ("api.example.com", False),
        ("127.0.0.1.example.com", False),
    ],
)
def test_what_is_here(host: str, here: bool) -> None:
    assert is_here(host) is here


def test_prompts_leave_the_machine_only_with_consent(tmp_path: Path) -> None:
    def tool(host: str) -> Any:
        values = {"name": "x", "via": "openai", "model": "m", "base_url": f"https://{host}/v1"}
        return tool_from(values, "test")

    asked: list[str] = []

    def person(question: str) -> bool:
        asked.append(question)
        return True

    there = tool("api.example.com")
    with pytest.raises(PolyAssayError) as error:
        Consent(tmp_path, (), False, None).require([there], ["odex"])
    assert "The prompts of odex would be sent to api.example.com" in error.value.problem
    with pytest.raises(PolyAssayError):
        Consent(tmp_path, (), False, lambda _question: False).require([there], ["odex"])
    Consent(tmp_path, ("api.example.com",), False, None).require([there], ["odex"])
    Consent(tmp_path, (), False, None).require([tool("127.0.0.1")], ["odex"])
    Consent(tmp_path, (), False, person).require([there], ["odex"])
    Consent(tmp_path, (), False, person).require([there], ["odex"])  # only the first time
    assert asked == ["The prompts of odex would be sent to api.example.com. Send them?"]
    with pytest.raises(PolyAssayError, match="prompts of mbpp would"):
        Consent(tmp_path, (), False, None).require([there], ["odex", "mbpp"])
    Consent(tmp_path, (), True, None).require([tool("other.example.com")], ["odex"])


def test_the_run_of_the_same_answers_is_gone_on_with() -> None:
    def run(name: str, *tools: str) -> Run:
        return Run(name, "now", {"candidates": {"tools": dict.fromkeys(tools, 1)}})

    there = [run("r3", "b"), run("r2", "a", "b"), run("r1", "a", "b")]  # the newest first
    tools = ["a", "b"]
    assert run_to_resume(StudyState("r1", "x"), "x", there, tools) == "r1"
    assert run_to_resume(StudyState("r1", "x"), "y", there, tools) == ""  # other answers
    assert run_to_resume(StudyState("r9", "x"), "x", there, tools) == ""  # it was deleted
    killed = StudyState("", "x", ("r1",))  # before the run's name was noted
    assert run_to_resume(killed, "x", there, tools) == "r2"
    assert run_to_resume(StudyState("", "x", ("r1", "r2")), "x", there, tools) == ""


def scores(passing: dict[str, int], tasks: int = 30) -> Scores:
    """Tool → on how many of the first tasks it passes."""
    every = {("s", f"t{i}"): make_task(f"t{i}") for i in range(tasks)}
    verdicts = [
        make_verdict(f"t{i}", 2 if i < count else 0, tool=tool)
        for tool, count in passing.items()
        for i in range(tasks)
    ]
    keys = [verdict.candidate for verdict in verdicts]
    return collect(verdicts, every, expected_units(every.values(), keys))


def test_settings_are_compared_task_by_task(tmp_path: Path) -> None:
    text = STUDY.replace("examples = [0, 1, 3]", "examples = [0, 1]").replace(
        "temperature = [0.2, 0.8]", "strip = [false, true]"
    )
    found = study(tmp_path, text)
    every = variants(found)
    passing = {
        "local[examples:0,strip:false]": 6,
        "local[examples:0,strip:true]": 6,
        "local[examples:1,strip:false]": 18,
        "local[examples:1,strip:true]": 18,
        "mine[examples:0,strip:false]": 8,
        "mine[examples:0,strip:true]": 8,
        "mine[examples:1,strip:false]": 20,
        "mine[examples:1,strip:true]": 20,
        "copilot": 15,
    }
    told = {one.setting: one for one in effects_of(every, found.varied, scores(passing), "pass@1")}
    assert set(told) == {"tool", "examples", "strip"}
    zero, one = told["examples"].effects
    assert zero.score.value == pytest.approx(28 / 120)
    assert zero.against_first is None
    assert one.against_first is not None
    assert one.against_first.difference == pytest.approx(0.4)
    assert one.against_first.units == 120
    assert one.against_first.clusters == 30  # a task counts once, however often it was asked
    assert str(one.against_first.answer) == "better"
    strip = told["strip"].effects[1].against_first
    assert strip is not None
    assert strip.difference == 0
    assert str(strip.answer) == "cannot tell"
    metrics = against(scores(passing), "copilot", "pass@1")
    assert set(metrics) == set(passing) - {"copilot"}
    assert metrics["mine[examples:1,strip:true]"].difference == pytest.approx(5 / 30)


def test_what_a_studys_page_shows_is_cleaned(tmp_path: Path) -> None:
    written = write_page(tmp_path, "a\u202e<b>", (), (), "pass@1").read_text("utf-8")
    assert "<h1>a\ufffd&lt;b&gt;</h1>" in written
