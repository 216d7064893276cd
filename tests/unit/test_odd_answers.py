"""Right answers in forms that readers have taken for something else."""

import pytest

from polyassay.candidates import make_program
from polyassay.candidates.java.escapes import without_escapes
from polyassay.model import AnswerForm, Candidate, CandidateKey, Language, Style, Task

JAVA = Task(
    "one",
    "s",
    Language.JAVA,
    Style.JUNIT,
    {},
    (),
    class_name="One",
    signature="public static int one()",
)
PYTHON = Task("one", "s", Language.PYTHON, Style.FUNCTION, {}, (), entry="one")
RIGHT = {
    Language.JAVA: "public class One {\n  public static int one() { return 1; }\n}\n",
    Language.PYTHON: "def one():\n    return 1\n",
}
DRAFT = {
    Language.JAVA: "public class One { static int one() { return 2; } }",
    Language.PYTHON: "def one(): return 2",
}
THOUGHTS = (
    "<think>\nFirst:\n```{tag}\n{draft}\n```\nNo.\n</think>\n\n",
    "<think>{draft}</think>",
    "Let me see.\n```{tag}\n{draft}\n```\n</think>\n",
    "<thinking>\n{draft}\n</thinking>\n",
    "\ufeff \n<think>\n</think>\n",
    "{draft}\n  </think>  \n",
)


def program(task: Task, answer: str) -> str:
    key = CandidateKey("s", "one", "tool", "en", 0)
    return make_program(task, Candidate(key, answer, AnswerForm.ANSWER)).source


@pytest.mark.parametrize("fenced", [True, False])
@pytest.mark.parametrize("thoughts", THOUGHTS)
@pytest.mark.parametrize("task", [JAVA, PYTHON], ids=["java", "python"])
def test_thoughts_before_an_answer_are_no_part_of_it(
    task: Task, thoughts: str, fenced: bool
) -> None:
    tag, right = task.language.value, RIGHT[task.language]
    answer = f"So:\n```{tag}\n{right}```\nDone." if fenced else right
    made = program(task, thoughts.format(tag=tag, draft=DRAFT[task.language]) + answer)
    assert made == program(task, answer)
    assert "return 1" in made and "return 2" not in made


@pytest.mark.parametrize("sign", ["// no </think> here", 'String s = "</think>";'])
def test_code_may_speak_of_thoughts(sign: str) -> None:
    code = RIGHT[Language.JAVA].replace("{\n", "{\n  " + sign + "\n", 1)
    assert program(JAVA, code) == code


@pytest.mark.parametrize(
    ("escaped", "plain"),
    [
        (r"\u0070ublic \uu007b", "public {"),
        (r"// \u000a int x;", "// \n int x;"),
        (r"// \u000d int x;", "// \n int x;"),
        (r"/* \u002a\u002f int x;", "/* */ int x;"),
        (r"char c = '\u005c'';", r"char c = '\'';"),
        (r'"\u005c\u0041"', r'"\A"'),
        (r"\\\u0041", r"\\A"),
    ],
)
def test_escapes_of_signs_are_read(escaped: str, plain: str) -> None:
    assert without_escapes(escaped) == plain


@pytest.mark.parametrize(
    "code", [r'"\\u007b"', r"'\u0000' + '\u00e9'", r'"\u005cu0041"', r"'\u12'", "\\u", "\\", ""]
)
def test_other_backslashes_stay(code: str) -> None:
    assert without_escapes(code) == code


@pytest.mark.parametrize(
    "code",
    [
        RIGHT[Language.JAVA].replace("{", r"\u007b"),
        RIGHT[Language.JAVA].replace("public", r"\u0070ublic"),
        RIGHT[Language.JAVA].replace("return", r"/* \u002a/ return"),
        RIGHT[Language.JAVA].replace("return 1;", r"// \u000a return 1;"),
        RIGHT[Language.JAVA].replace("return", r"char c = '\u005c''; return"),
    ],
)
def test_braces_are_counted_as_javac_does(code: str) -> None:
    assert program(JAVA, code) == without_escapes(code)
