"""What a tool is asked: exact where publishers' code is known, and never with what judges it."""

import dataclasses
import json
from pathlib import Path

import pytest

from made import make_task
from polyassay.errors import PolyAssayError
from polyassay.model import AnswerForm, Language, Style, Task, Test
from polyassay.prompts import PromptSettings, render, settings_from
from polyassay.prompts.drawing import same_question
from polyassay.prompts.names import name_from_intent
from polyassay.prompts.shown import without_tests
from polyassay.suites.public import odex
from polyassay.suites.registry import Registry


@pytest.fixture(scope="module")
def odex_tasks(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Task]:
    (suite,) = odex.read(shared_data / "odex", "odex")
    registry = Registry(tmp_path_factory.mktemp("home"))
    registry.add(suite)
    return {task.id: task for task in registry.load("odex").tasks}


def test_the_prompts_of_odex_own_code(shared_data: Path, odex_tasks: dict[str, Task]) -> None:
    checked = 0
    for line in (shared_data / "odex-prompts" / "golden_prompts.jsonl").open():
        golden = json.loads(line)
        settings = settings_from(
            {
                "template": "odex",
                "drawing": "published",
                "examples": golden["num_examples"],
                "shown_tests": golden["num_tests"],
                "function_name": golden["function_name"],
                "strip": golden["strip_prompt"],
                "seed": golden["seed"],
            }
        )
        task = odex_tasks[f"{golden['language']}/{golden['index']}"]
        prompt = render(task, settings, tuple(odex_tasks.values()))
        drawn = [
            odex_tasks[one.removeprefix("odex:")].entry for one in prompt.settings["example_tasks"]
        ]
        assert drawn == [f"f_{number}" for number in golden["example_task_ids"]]
        if golden["error"] is None:  # the publisher's own code breaks in one
            assert prompt.text == golden["prompt"], golden["golden"]
        checked += 1
    assert checked == 77


def test_all_function_names_of_odex(shared_data: Path, odex_tasks: dict[str, Task]) -> None:
    lines = (shared_data / "odex-prompts" / "golden_function_names.jsonl").open()
    goldens = [json.loads(line) for line in lines]
    names = {
        (g["language"], g["index"]): name_from_intent(
            odex_tasks[f"{g['language']}/{g['index']}"].prompts[g["language"]]
        )
        for g in goldens
    }
    assert names == {(g["language"], g["index"]): g["name"] for g in goldens}
    assert len(names) == 945


def test_our_examples_never_have_the_question_that_is_asked(odex_tasks: dict[str, Task]) -> None:
    tasks = tuple(odex_tasks.values())
    repeated = [t for t in tasks if sum(o.entry == t.entry for o in tasks) > 1]
    assert len(repeated) > 100
    for task in repeated[::10]:
        settings = settings_from({"examples": 3, "seed": 5, "template": "odex"})
        drawn = render(task, settings, tasks).settings["example_tasks"]
        assert len(drawn) == 3
        for one in drawn:
            assert not same_question(odex_tasks[one.removeprefix("odex:")], task)


def test_examples_for_a_cell_come_from_other_notebooks(tmp_path: Path) -> None:
    tasks = Registry(tmp_path).load("starter-notebooks").tasks
    for task in tasks:
        drawn = render(task, settings_from({"examples": 2}), tasks).settings["example_tasks"]
        notebook = task.id.rpartition("/")[0]
        assert not any(one.startswith(f"starter-notebooks:{notebook}/") for one in drawn)


def test_the_published_drawing_does_leak(odex_tasks: dict[str, Task]) -> None:
    """Why ours is another one: for some seed the same question is an example."""
    tasks = tuple(odex_tasks.values())
    task = odex_tasks["es/1"] if odex_tasks["es/1"].entry == odex_tasks["es/0"].entry else None
    task = task or next(
        t
        for t in tasks
        if t.id.startswith("es/") and any(same_question(t, o) for o in tasks if o is not t)
    )
    for seed in range(300):
        settings = settings_from({"examples": 3, "seed": seed, "drawing": "published"})
        drawn = render(task, settings, tasks).settings["example_tasks"]
        if any(odex_tasks[one.removeprefix("odex:")].entry == task.entry for one in drawn):
            return
    pytest.fail("three of ninety rows in 300 draws never were the same question's")


@pytest.mark.parametrize(
    "expression",
    [
        "task.tests",
        "task.reference",
        "task.__class__.__mro__",
        "self.__init__.__globals__",
        "cycler.__init__.__globals__",
    ],
)
def test_a_template_of_ones_own_cannot_reach_them(expression: str, tmp_path: Path) -> None:
    own = tmp_path / "own.j2"
    own.write_text("{{ task.text }} {{ " + expression + " }}")
    task = make_task("t", reference="SECRET", entry="f")
    with pytest.raises(PolyAssayError, match="cannot be filled in"):
        render(task, settings_from({"template": str(own)}))


def test_a_template_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.j2"
    own.write_text("In {{ task.language }}: {{ task.text }}")
    prompt = render(make_task("t"), settings_from({"template": str(own), "system": "Be brief."}))
    assert [(m.role, m.content) for m in prompt.messages] == [
        ("system", "Be brief."),
        ("user", "In python: Do it."),
    ]


def test_java_prompts_name_class_package_and_signature() -> None:
    task = make_task(
        "max",
        language=Language.JAVA,
        style=Style.JUNIT,
        class_name="com.example.Max",
        signature="public static int max(int[] a)",
    )
    for template in ("chat", "completion"):
        text = render(task, settings_from({"template": template})).text
        assert all(
            part in text for part in ("com.example", "Max", "public static int max(int[] a)")
        )


SNIPPETS = tuple(Test(f"test_{i}", f"assert clamp({i}, 0, 3) == {i}") for i in range(4))
JUNIT = """
class MaxTest {
  @Test
  void findsLargest() {
    assertEquals(3, Max.max(new int[] {1, 3}));
  }

  @Test
  void one() {
    assertEquals(1, Max.max(new int[] {1}));
  }
}
"""


def test_shown_tests_are_recorded_and_more_are_the_same_and_others() -> None:
    task = make_task("clamp", entry="clamp", signature="def clamp(x, a, b)")
    task = _with_tests(task, SNIPPETS)
    one = render(task, settings_from({"shown_tests": 1, "seed": 3}))
    two = render(task, settings_from({"shown_tests": 2, "seed": 3}))
    assert len(one.settings["shown_test_names"]) == 1
    assert two.settings["shown_test_names"][:1] == one.settings["shown_test_names"]
    assert sum(test.code in two.text for test in SNIPPETS) == 2
    held = render(task, settings_from({"shown_tests": 9, "held_out_tests": True}))
    assert len(held.settings["shown_test_names"]) == 3  # one is left to judge


def _with_tests(task: Task, tests: tuple[Test, ...]) -> Task:
    return dataclasses.replace(task, tests=tests)


def test_a_junit_method_is_shown_alone() -> None:
    task = make_task(
        "max", language=Language.JAVA, style=Style.JUNIT, class_name="Max", test_source=JUNIT
    )
    task = _with_tests(task, (Test("findsLargest"), Test("one")))
    prompt = render(task, settings_from({"shown_tests": 1}))
    (name,) = prompt.settings["shown_test_names"]
    assert ("{1, 3}" in prompt.text) == (name == "findsLargest")
    assert ("{1}" in prompt.text) == (name == "one")


def test_tests_that_are_one_piece_are_neither_shown_nor_left_out() -> None:
    task = make_task(
        "max",
        language=Language.JAVA,
        style=Style.JUNIT,
        class_name="Max",
        test_source=JUNIT,
        extra={"extends": "Base"},
    )
    task = _with_tests(task, (Test("findsLargest"), Test("one")))
    assert without_tests(task, ["one"]) is None
    assert not render(task, settings_from({"shown_tests": 1})).settings["shown_test_names"]
    apart = dataclasses.replace(task, extra={})
    left = without_tests(apart, ["one"])
    assert left is not None
    assert [test.name for test in left.tests] == ["findsLargest"]
    assert "void one" not in left.test_source
    assert "void findsLargest" in left.test_source


def test_forms_of_answers() -> None:
    plain = make_task("t", signature="def t(x)", entry="t")
    assert render(plain, PromptSettings()).form is AnswerForm.ANSWER
    completed = render(plain, settings_from({"template": "completion"}))
    assert completed.stem.before == "def t(x):\n"
    assert completed.text.endswith(completed.stem.before)
    context = make_task("t", context="def t(x):\n    return ", entry="t")
    prompt = render(context, settings_from({"template": "completion"}))
    assert prompt.form is AnswerForm.COMPLETION
    assert prompt.text.endswith("def t(x):\n    return ")


def test_bad_settings_are_told() -> None:
    unread: list[tuple[dict[str, object], str]] = [
        ({"exmples": 1}, 'no setting "exmples"'),
        ({"examples": "many"}, "whole number"),
        ({"function_name": "nice"}, 'cannot be "nice"'),
        ({"shown_tests": "all", "held_out_tests": True}, "none would judge"),
    ]
    for values, told in unread:
        with pytest.raises(PolyAssayError, match=told):
            settings_from(values)
    unfit: list[tuple[dict[str, object], str]] = [
        ({"template": "chta"}, 'no template "chta"'),
        ({"function_name": "constant"}, "another name"),
        ({"examples": 2}, "0 examples and not 2"),
        ({"prompt_language": "zh"}, "no prompt in"),
    ]
    for values, told in unfit:
        with pytest.raises(PolyAssayError, match=told):
            render(make_task("t"), settings_from(values), (make_task("t"),))


PAIRS = [(language, style) for language in Language for style in Style if style is not Style.CELL]


@pytest.mark.parametrize("template", ["chat", "completion"])
@pytest.mark.parametrize(("language", "style"), PAIRS)
def test_whatever_a_suite_may_have_can_be_asked(
    language: Language, style: Style, template: str
) -> None:
    """The rule of native files: JUnit is Java's, programs and rubrics are both's."""
    both = style in (Style.PROGRAM, Style.RUBRIC)
    if not both and (style is Style.JUNIT) != (language is Language.JAVA):
        return
    task = make_task("t", language=language, style=style, prompts={"en": "Do it well."})
    assert "Do it well." in render(task, PromptSettings(template=template)).text
