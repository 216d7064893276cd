"""The libraries that a zygote imports for a task, so that no candidate has to: its `ZygoteSpec`.

Gain, by `tools/bench-python --without preload`: 77 % of the CPU time of ODEX at one sample
(standard error 0.5).

`SHARED_SLOW_IMPORTS` is a performance trick of its own: zygotes import these few modules first and
one by one, so that several sets of libraries go on from there. Gain, by `tools/bench-python
--without shared_slow_imports`: 12 % of the CPU time of ODEX at two samples (-5, 24 and 18 % in
three rounds).
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from typing import NamedTuple

from polyassay.environments.interpreters import Interpreter, top_of
from polyassay.model import Style, Task
from polyassay.requirement import name_of
from polyassay_harness.switches import on

# Not just any line that begins so, because prose does, too.
_FROM = re.compile(r"(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import\b(?:[\s(]+(\w+))?")
_NAMES = r"[\w.]+(?:[ \t]+as[ \t]+\w+|[ \t]*,[ \t]*[\w.]+)*"
_IMPORT = re.compile(rf"(?m)^[ \t]*import[ \t]+({_NAMES})\s*?(?:[#;].*)?$")
# What a library imports only when a part of it is used: library, a word that shows it, module.
_IMPORTED_WHEN_USED = (
    ("pandas", r"\.(plot|hist|boxplot)\b", "pandas.plotting._matplotlib"),
    ("pandas", r"\.(read|to)_excel\b|\.ExcelWriter\b", "openpyxl"),
    ("pandas.plotting._matplotlib", "", "importlib.metadata"),
    ("pandas.plotting._matplotlib", "", "matplotlib.pyplot"),
    ("seaborn", "", "matplotlib.pyplot"),
    ("matplotlib.pyplot", "", "matplotlib.backends.backend_agg"),
    ("numpy", "random", "numpy.random"),
    ("seaborn", "", "numpy.random"),
    ("sqlalchemy", "sqlite", "sqlalchemy.dialects.sqlite"),
    # Imported at once, and named so that zygotes for several of these can go on from there.
    ("scipy.signal", "", "scipy.stats"),
    ("seaborn", "", "scipy.stats"),
    ("sklearn", "", "scipy.stats"),
)
# What many libraries build on, or what takes longer to import than most of them.
SHARED_SLOW_IMPORTS = (
    ("numpy", "scipy.stats", "matplotlib.pyplot") if on("shared_slow_imports") else ()
)
_SLOW_OF_STANDARD_LIBRARY = (
    "unittest",
    "asyncio",
    "multiprocessing",
    "random",
    "http.",
    "importlib.metadata",
    "urllib.request",
)


def preload(task: Task, interpreter: Interpreter) -> tuple[str, ...]:
    """The task's libraries and, of their parts, those that its own code imports in any case.

    A part that only an answer could import stays unknown until it does, as in a fresh interpreter.
    """
    if not on("preload"):
        return ()
    codes = (task.context, task.setup, task.test_source, *(test.code for test in task.tests))
    own = "\n".join(codes)
    tools = {"pytest"} if task.style is Style.PYTEST else set()
    names = {*map(name_of, task.libraries), *_imported(own), *tools}
    shown = f"{own}\n{task.reference}"
    for name, word, later in _IMPORTED_WHEN_USED:
        if name in names and re.search(word, shown):
            names.add(later)
    foreign = {name for name in names if top_of(name) not in interpreter.standard}
    there = {name for name in foreign if top_of(name) in interpreter.installed().modules}
    # What another library imports need not be named, so that fewer zygotes serve more tasks.
    along = required_by(there, interpreter)
    wanted = (there | _slow_of_standard_library(names)) - along
    return tuple(sorted(wanted - parents(wanted)))


def _imported(code: str) -> set[str]:
    """The modules that it imports, and what it imports from them, which may be modules."""
    found = {part.split()[0] for names in _IMPORT.findall(code) for part in names.split(",")}
    for module, name in _FROM.findall(code):
        found.add(module)
        if name and (name.islower() or "." not in module):  # or a class; but there is PIL.Image
            found.add(f"{module}.{name}")
    return found


def parents(names: Iterable[str]) -> set[str]:
    """The packages that are imported before what is in them."""
    return {
        ".".join(parts[:count])
        for parts in (name.split(".") for name in names)
        for count in range(1, len(parts))
    }


def packages(libraries: Iterable[str]) -> set[str]:
    return {top_of(name) for name in libraries}


def required_by(names: Iterable[str], interpreter: Interpreter) -> set[str]:
    """The packages that these libraries import themselves."""
    tops = packages(names) - interpreter.standard
    needs = interpreter.installed().needs if tops else ()
    return {other for name, other in needs if name in tops and other != name}


def _slow_of_standard_library(names: Set[str]) -> set[str]:
    """Parts of Python itself whose import takes longer than many a candidate."""
    return {name for name in names if name.startswith(_SLOW_OF_STANDARD_LIBRARY)}


class ZygoteSpec(NamedTuple):
    """Zygotes of one spec can stand in for each other."""

    interpreter: Interpreter
    libraries: tuple[str, ...]
    memory_mb: int
    judge: bool = False

    @property
    def without_quick_imports(self) -> "ZygoteSpec":
        """The spec without the modules that are quickly imported.

        Zygotes whose specs differ in those only can soon stand in for each other: one for numpy
        imports numpy.linalg in no time. pandas, which imports slowly, makes another spec. Judges
        import nothing later.
        """
        if self.judge:
            return self
        slow = self.imported().intersection(SHARED_SLOW_IMPORTS)
        return self._replace(libraries=tuple(sorted(slow | packages(self.libraries))))

    def includes(self, libraries: Iterable[str]) -> bool:
        """Whether all of these are imported with its own."""
        return self.imported().issuperset(libraries)

    def imported(self) -> set[str]:
        named = parents(self.libraries).union(self.libraries)
        return required_by(self.libraries, self.interpreter) | named

    def import_steps(self) -> Iterator[set[str]]:
        """What to import one after the other; zygotes of other specs can grow from each step."""
        imported = self.imported()
        yield from ({name} for name in SHARED_SLOW_IMPORTS if name in imported)
        yield packages(self.libraries)
        yield set(self.libraries)


def in_growing_order(specs: Collection[ZygoteSpec]) -> list[ZygoteSpec]:
    """The order in which one zygote can grow from each spec to the next with the fewest imports.

    Specs are sorted like words: by the packages that they import, the most common package first.
    So specs that begin with the same packages are neighbours, and a spec with fewer packages comes
    before those that import more. Specs with slow imports come before all others, because the last
    tasks of a run are shared out among slots, and each of these would have to import them anew.
    """
    named = {name for spec in specs for name in packages(spec.libraries)}
    imported = {spec: spec.imported() for spec in specs}
    common = Counter(name for names in imported.values() for name in named & names)
    names = sorted(common, key=lambda name: (-common[name], name))
    rank = {name: number for number, name in enumerate(names)}

    def place(spec: ZygoteSpec) -> tuple[list[bool], list[int], int]:
        lacks = [name not in imported[spec] for name in SHARED_SLOW_IMPORTS]
        return lacks, sorted(rank[name] for name in named & imported[spec]), len(spec.libraries)

    return sorted(specs, key=place)
