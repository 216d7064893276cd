"""A third language is a package and a row: languages are compared where a reason is given only."""

import re
from pathlib import Path

RUNNER = Path(__file__).parents[2] / "runner" / "polyassay"
COMPARED = re.compile(r"""(==|!=|\bis|\bis not) \(?(Language\.[A-Z]+|"java"|"python")""")
OF_A_LANGUAGE = ("languages/", "suites/public/", "suites/python/", "prompts/views.py")

# Each with how many comparisons it has, so that no more come.
KNOWN = {
    "suites/native/folder.py": (2, "fields of a task.toml that only Java has"),
    "suites/native/mistakes.py": (1, "sources are parsed with Python's own parser"),
    "suites/native/unread.py": (1, "which files of a folder are read depends on it"),
    "suites/native/task_json.py": (2, "fields and styles that only Java has"),
    "measures/measuring/server.py": (1, "ExeDS published its figures for Python"),
    "measures/measuring/suite.py": (1, "references are parsed with Python's own parser"),
    "measures/surface/comparing.py": (1, "how a definition looks in each grammar"),
    "measures/surface/standard.py": (1, "a brace too many is a fault that Java's answers have"),
    "candidates/solution/paths.py": (1, "names of Python's modules are no files of a solution"),
    "trust/mutation.py": (1, "a Java mutant may fail to build for its adapter's sake"),
}


def test_languages_are_compared_where_a_reason_is_given_only() -> None:
    found = {}
    for path in RUNNER.rglob("*.py"):
        name = path.relative_to(RUNNER).as_posix()
        count = len(COMPARED.findall(path.read_text("utf-8")))
        if count and not name.startswith(OF_A_LANGUAGE):
            found[name] = count
    assert found == {name: count for name, (count, _) in KNOWN.items()}
