"""Java's row in the table of languages."""

import re

from polyassay.languages.row import QUOTED, LanguageRow, NeededProgram, Trial
from polyassay.model import AnswerForm, Language, Style, Task, Test

_TESTS = """
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class TwiceTest { @Test void doubles() { assertEquals(4, Twice.twice(2)); } }
"""

SOURCES = "src/main/java/"  # where a project has them


def source_path(path: str) -> str:
    """A source's path below the folder of its project's sources, as its package has it."""
    return path.partition(SOURCES)[2] or path


ROW = LanguageRow(
    fence_tags=frozenset(("java",)),
    remarks=re.compile(rf"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|{QUOTED}"),
    highlighter="java",
    make_program="polyassay.candidates.java.program:java_program",
    make_empty="polyassay.candidates.java.empty:empty_java",
    mutations="polyassay.trust.mutants.java:JavaMutations",
    empty_file="polyassay.candidates.java.empty:empty_source",
    suffix=".java",
    file_form=AnswerForm.PROGRAM,  # no chat, even where a comment in it has a fence
    needs_environment=False,
    stubs="polyassay.collect.stubs.java:JavaStubs",
    lint="polyassay.measures.readability.linters:lint_java",
    linter_version="polyassay.measures.readability.linters:pmd_version",
    rated_style=Style.JUNIT,
    in_function=lambda code: f"class A {{ void answer() {{\n{code}\n}} }}",
    remark="//",
    place_block="polyassay.candidates.java.placing:file_of",
    divide_block="polyassay.candidates.java.placing:parts_of",
    plain_parts="polyassay.measures.submitting.plain_java:java_parts",
    harnesses={
        "worker": "polyassay.harness.java.harness:JavaHarness",
        "gradle": "polyassay.harness.gradle.harness:GradleHarness",
    },
    trial=Trial(
        Task(
            "twice",
            "doctor",
            Language.JAVA,
            Style.JUNIT,
            {"en": "Double a number"},
            tests=(Test("doubles"),),
            class_name="Twice",
            signature="public static int twice(int n)",
            test_source=_TESTS,
        ),
        good="public static int twice(int n) { return 2 * n; }",
        bad="public static int twice(int n) { return n; }",
    ),
    programs=(
        NeededProgram("java", ("java", "-version"), "a JDK 17 or later: openjdk-17-jdk-headless"),
        NeededProgram(
            "gradle", ("gradle", "--version"), "for --engine gradle: gradle", needed=False
        ),
    ),
    telling_line=re.compile(r"^[ \t]*package[ \t]+[\w.]+[ \t]*;[ \t]*\n?", re.MULTILINE),
    telling_name=re.compile(r"\bpublic\s+(?:(?:final|abstract)\s+)?class\s+([A-Za-z_$][\w$]*)"),
)
