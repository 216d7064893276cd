"""Python's row in the table of languages; notebooks are Python too."""

import re
from textwrap import dedent, indent

from polyassay.languages.row import QUOTED, LanguageRow, Trial
from polyassay.model import AnswerForm, Language, Style, Task, Test

ROW = LanguageRow(
    fence_tags=frozenset(("python", "py", "ipython", "pyi")),
    remarks=re.compile(rf"#[^\n]*|'''[\s\S]*?(?:'''|\Z)|{QUOTED}"),
    highlighter="python",
    make_program="polyassay.candidates.python.program:python_program",
    make_empty="polyassay.candidates.python.empty:empty_python",
    mutations="polyassay.trust.mutants.python:PythonMutations",
    empty_file="polyassay.candidates.python.empty:empty_source",
    suffix=".py",
    file_form=AnswerForm.ANSWER,
    needs_environment=True,
    stubs="polyassay.collect.stubs.python:PythonStubs",
    lint="polyassay.measures.readability.linters:lint_python",
    linter_version="polyassay.measures.readability.linters:ruff_version",
    rated_style=Style.FUNCTION,
    in_function=lambda code: "def answer():\n" + indent(dedent(code), "    "),
    remark="#",
    place_block="polyassay.candidates.python.placing:file_of",
    divide_block="polyassay.candidates.python.placing:parts_of",
    plain_parts="polyassay.measures.submitting.plain_python:python_parts",
    harnesses={"worker": "polyassay.harness.python.harness:PythonHarness"},
    cell_harnesses={
        "worker": "polyassay.harness.notebook.harness:NotebookHarness",
        "nbclient": "polyassay.harness.notebook.kernel:KernelHarness",
    },
    trial=Trial(
        Task(
            "twice",
            "doctor",
            Language.PYTHON,
            Style.FUNCTION,
            {"en": "Double a number"},
            tests=(Test("test_0", "assert twice(2) == 4"),),
            entry="twice",
            signature="def twice(n)",
        ),
        good="def twice(n):\n    return 2 * n\n",
        bad="def twice(n):\n    return n\n",
    ),
)
