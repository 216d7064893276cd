"""A person writes four Java and four Python tasks: a folder each, nothing more."""

from pathlib import Path

from command_line import PolyAssay

JAVA = {
    "Clamp": ("int clamp(int x)", "Math.max(0, Math.min(9, x))", "9, Clamp.clamp(12)"),
    "Twice": ("int twice(int x)", "2 * x", "8, Twice.twice(4)"),
    "Shout": ("String shout(String s)", "s.toUpperCase()", '"HI", Shout.shout("hi")'),
    "Largest": (
        "int largest(int[] a)",
        "java.util.Arrays.stream(a).max().getAsInt()",
        "7, Largest.largest(new int[] {3, 7, 1})",
    ),
}
PYTHON = {
    "clamp": ("x", "max(0, min(9, x))", "clamp(12) == 9"),
    "twice": ("x", "2 * x", "twice(4) == 8"),
    "shout": ("s", "s.upper()", "shout('hi') == 'HI'"),
    "largest": ("a", "max(a)", "largest([3, 7, 1]) == 7"),
}


def write_suite(root: Path) -> None:
    for name, (signature, result, values) in JAVA.items():
        folder = root / f"{name.lower()}-java"
        folder.mkdir(parents=True)
        head = f'language = "java"\nsignature = "public static {signature}"\n'
        (folder / "task.toml").write_text(head + f'prompts = {{ en = "{name} it." }}\n')
        (folder / f"{name}.java").write_text(
            f"class {name} {{ public static {signature} {{ return {result}; }} }}\n"
        )
        (folder / f"{name}Test.java").write_text(
            "import static org.junit.jupiter.api.Assertions.*;\n"
            "import org.junit.jupiter.api.Test;\n"
            f"class {name}Test {{ @Test void works() {{ assertEquals({values}); }} }}\n"
        )
    for place, (name, (argument, result, values)) in enumerate(PYTHON.items()):
        folder = root / f"{name}-python"
        folder.mkdir()
        as_pytest = place % 2 == 0
        (folder / "task.toml").write_text(
            f'language = "python"\nentry = "{name}"\nprompts = {{ en = "{name} it." }}\n'
        )
        own = f"{name}.py" if as_pytest else "reference.py"
        (folder / own).write_text(f"def {name}({argument}):\n    return {result}\n")
        tests = f"def test_works():\n    assert {values}\n"
        (folder / (f"test_{name}.py" if as_pytest else "tests.py")).write_text(
            f"from {name} import {name}\n\n\n{tests}" if as_pytest else tests
        )


def test_eight_tasks_without_a_suite_toml(polyassay: PolyAssay, tmp_path: Path) -> None:
    write_suite(tmp_path / "ours")
    added = polyassay("suites", "add", "native", "--from", "ours")
    assert added.returncode == 0, added.stderr
    assert "ours: 8 tasks, added (named after the folder; --as" in added.stdout
