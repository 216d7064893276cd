"""Prints which parts of the runner import which; no process is started and nothing is imported.

    python tests/import_graph.py            the graph of parts, its largest packages and files
    python tests/import_graph.py --table    the table of ARCHITECTURE.md, as the code has it

A part is a package or a module directly below runner/polyassay. Imports inside of functions and
for the type checker count too. tests/unit/test_architecture.py compares the graph with the table
in ARCHITECTURE.md.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "runner" / "polyassay"
EVERY = "every part"  # the table's row of what any part may import
MOST_MODULES = 14  # of a package, __init__ included
MOST_LINES = 330  # of a file
ENDINGS = (".py", ".java", ".js", ".css")

Graph = dict[str, set[str]]


def module_of(path: Path, root: Path = PACKAGE.parent) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(node: ast.AST) -> Iterator[str]:
    """The full names that a statement imports; `from a import b` may mean a module or a name."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(path: Path) -> Iterator[str]:
    """The full names that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        yield from imported_by(node)


def module_graph(package: Path = PACKAGE) -> Graph:
    """Every module of a package, and those of the same package that it imports."""
    files = {module_of(path, package.parent): path for path in sorted(package.rglob("*.py"))}
    graph: Graph = {}
    for module, path in files.items():
        found = set()
        for name in imports(path):
            known = name if name in files else name.rpartition(".")[0]
            if known in files and known != module:
                found.add(known)
        graph[module] = found
    return graph


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def part_graph(modules: Mapping[str, set[str]]) -> Graph:
    """The same by part; what imports `polyassay` itself only wants its version or its folder."""
    graph: Graph = defaultdict(set)
    for module, imported in modules.items():
        if part := part_of(module):
            graph[part] |= {part_of(name) for name in imported} - {part, ""}
    return dict(graph)


def cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """One cycle of a graph, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def drawn(text: str) -> Graph:
    """The table of ARCHITECTURE.md: rows of `part` and the `parts` that it may import."""
    _, _, section = text.partition("| part | may import |")
    graph: Graph = {}
    for line in section.splitlines()[2:]:
        if not line.startswith("|"):
            break
        names, allowed = (re.findall(r"`(\w+)`", cell) for cell in line.strip("|").split("|")[:2])
        for name in names or [EVERY]:
            graph[name] = set(allowed)
    return graph


def table(graph: Mapping[str, set[str]], shared: set[str]) -> str:
    """The graph as rows of the table."""

    def named(parts: set[str]) -> str:
        return ", ".join(f"`{part}`" for part in sorted(parts))

    rows = [f"| {EVERY} | {named(shared)} |"]
    rows += [f"| `{part}` | {named(graph[part] - shared)} |" for part in sorted(graph)]
    return "\n".join(["| part | may import |", "|---|---|", *rows])


def modules_by_package(*roots: Path) -> dict[Path, int]:
    """How many modules each package has, the largest first."""
    folders = {path.parent for root in roots for path in root.rglob("*.py")}
    sizes = {folder: len(list(folder.glob("*.py"))) for folder in folders}
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def lines_by_file(*roots: Path) -> dict[Path, int]:
    """How many lines each file of code has, the longest first; scripts have no ending."""
    files = [path for root in roots for path in root.rglob("*") if _is_code(path)]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    return dict(sorted(lengths.items(), key=lambda item: -item[1]))


def _is_code(path: Path) -> bool:
    is_script = path.parent == ROOT / "tools"
    return path.is_file() and (is_script or path.suffix in ENDINGS)


def main() -> None:
    graph = part_graph(module_graph())
    if "--table" in sys.argv[1:]:
        shared = drawn((ROOT / "ARCHITECTURE.md").read_text("utf-8")).get(EVERY, set())
        sys.stdout.write(table(graph, shared) + "\n")
        return
    lines = [f"{part:<14} → {', '.join(sorted(graph[part])) or '–'}" for part in sorted(graph)]
    found = cycle(graph)
    lines.append(f"cycle: {' → '.join(found) if found else 'none'}")
    roots = (PACKAGE, ROOT / "python-harness" / "polyassay_harness")
    sizes, lengths = modules_by_package(*roots), lines_by_file(ROOT / "runner", *roots[1:])
    folder, most = next(iter(sizes.items()))
    lines.append(f"largest package: {folder.relative_to(ROOT)}, {most} modules")
    file, longest = next(iter(lengths.items()))
    lines.append(f"longest file: {file.relative_to(ROOT)}, {longest} lines")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
