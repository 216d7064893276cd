"""Size and shape of one answer: complexity, nesting, lines, parameters, names, repetition."""

from collections import Counter
from functools import cache
from typing import Any

from polyassay.languages import LANGUAGES
from polyassay.measures.readability.names import declared_names, deepest_nesting
from polyassay.measures.surface.trees.tree import Tree, read_tree
from polyassay.model import Language

NAMES = (
    "complexity",
    "nesting",
    "lines",
    "parameters",
    "name_length",
    "duplication",
    "length_ratio",
)
BLOCK = 3  # so many equal lines in a row are a repetition


@cache
def _analyzer() -> Any:
    import lizard  # slow to import

    return lizard.FileAnalyzer(lizard.get_extensions([]))


def signals(code: str, references: tuple[str, ...], language: str) -> dict[str, float | None]:
    """What is known of an answer; all unknown where it is empty or does not parse.

    The length is compared with that of the shortest reference, in tokens.
    """
    tree = read_tree(code, language)
    if tree.broken or not tree.tokens or not code.strip():
        return dict.fromkeys(NAMES)
    functions = _functions(code, language)
    names = declared_names(tree)
    lengths = [len(read_tree(reference, language).tokens) for reference in references]
    shortest = min((length for length in lengths if length), default=0)
    return {
        "complexity": max((f.cyclomatic_complexity for f in functions), default=None),
        "nesting": deepest_nesting(tree),
        "lines": len(_code_lines(code, tree)),
        "parameters": max((len(f.full_parameters) for f in functions), default=None),
        "name_length": sum(map(len, names)) / len(names) if names else None,
        "duplication": duplication(_code_lines(code, tree)),
        "length_ratio": len(tree.tokens) / shortest if shortest else None,
    }


def _functions(code: str, language: str) -> list[Any]:
    """As lizard sees them; code outside of any function is taken for the body of one."""
    row = LANGUAGES[Language(language)]
    name = f"answer{row.suffix}"
    found: list[Any] = _analyzer().analyze_source_code(name, code).function_list
    if not found:
        found = _analyzer().analyze_source_code(name, row.in_function(code)).function_list
    return found


def _code_lines(code: str, tree: Tree) -> list[str]:
    """Lines that hold more than white space and comments."""
    marks = ("#",) if tree.root.type == "module" else ("//", "/*", "*")
    stripped = (line.strip() for line in code.splitlines())
    return [line for line in stripped if line and not line.startswith(marks)]


def duplication(lines: list[str]) -> float:
    """The share of lines that stand in a block of at least three that occurs more than once."""
    if not lines:
        return 0.0
    blocks = [tuple(lines[i : i + BLOCK]) for i in range(len(lines) - BLOCK + 1)]
    often = Counter(blocks)
    repeated = {i + j for i, b in enumerate(blocks) if often[b] > 1 for j in range(BLOCK)}
    return len(repeated) / len(lines)
