"""evalplus' HumanEval+ and MBPP+: base and plus inputs, a test each.

What is right is what the canonical solution returns, compared as evalplus compares: some tasks as
sets, some with a tolerance, some by an oracle of their own. JSON has no tuples, sets or complex
numbers, so the inputs of certain tasks are turned into them first. All of it stands in the test,
which is out of the candidate's reach.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.model import Language, Limits, Style, Suite, Task, Test
from polyassay.suites.families import question
from polyassay.suites.make import make_suite
from polyassay.suites.manifest import load_manifest
from polyassay.suites.native.fields import Fields
from polyassay.suites.text import read_jsonl

# How the files begin → the suite that they give.
SUITES = {"humanevalplus": "humanevalplus", "mbppplus": "mbppplus"}
# evalplus gives each input seconds of its own; here all inputs of a test share them.
LIMITS = Limits(seconds=30.0, total_seconds=120.0, memory_mb=4096)
LONG = {"Mbpp/255", "Mbpp/599"}  # their canonical solutions alone take most of a minute
LARGE = {"Mbpp/255": "results too large to be passed between processes"}

# MBPP's number → the arguments of a call, made of the list that JSON gave.
_LISTS_OF_TUPLES = "[[tuple(v) for v in a] for a in given]"
_SHAPES = (
    (
        (
            2,
            116,
            132,
            143,
            222,
            261,
            273,
            394,
            399,
            421,
            424,
            429,
            470,
            560,
            579,
            596,
            616,
            630,
            726,
            740,
            744,
            809,
        ),
        "[tuple(a) for a in given]",
    ),
    ((63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780), _LISTS_OF_TUPLES),
    ((75, 413, 444, 753), "[[tuple(v) for v in given[0]], given[1]]"),
    ((106, 750), "[given[0], tuple(given[1])]"),
    ((115,), "[[set(v) if isinstance(v, list) and v else {} for v in given[0]]]"),
    ((124,), "[float(given[0]), complex(given[1])]"),
    ((250, 405, 446, 617, 720, 763, 808, 307), "[tuple(given[0]), *given[1:]]"),
    ((259, 401, 445), "[tuple(tuple(v) for v in a) for a in given]"),
    ((278,), "[tuple(tuple(v) if isinstance(v, list) else v for v in given[0])]"),
    ((722,), "[{k: tuple(v) for k, v in given[0].items()}, *given[1:]]"),
    ((252,), "[complex(given[0])]"),
    ((580, 615, 791), "as_tuples(given)"),
)
_SHAPE_OF = {f"Mbpp/{number}": shape for numbers, shape in _SHAPES for number in numbers}

# Entry → whether a result is right, where that is not `found == wanted`.
_AS_SETS = "set(found) == set(wanted)"
_NOT_NONE = (
    "found == (wanted is not None) if isinstance(found, bool) "
    "else (found is not None) == (wanted is not None)"
)
_ORACLES = {
    "Mbpp": {
        "are_equivalent": "found == wanted or True",
        "sum_div": "found == wanted or found == 0",
        "surface_Area": "found == wanted or abs(found - round(arguments[0] ** 2 + 2 * arguments[0]"
        " * math.sqrt((arguments[0] / 2) ** 2 + arguments[1] ** 2))) <= tolerance",
        "digit_distance_nums": "found == wanted or found == sum(abs(int(a) - int(b)) for a, b in "
        "zip(*(str(n).zfill(max(len(str(m)) for m in arguments)) for n in arguments)))",
        **dict.fromkeys(
            (
                "similar_elements",
                "find_char_long",
                "common_in_nested_lists",
                "extract_singly",
                "larg_nnum",
                "intersection_array",
                "find_dissimilar",
                "Diff",
            ),
            _AS_SETS,
        ),
        **dict.fromkeys(("check_str", "text_match_three", "text_starta_endb"), _NOT_NONE),
    },
    "HumanEval": {
        "find_zero": "abs(sum(c * math.pow(found, i) for i, c in enumerate(arguments[0])))"
        " <= tolerance",
    },
}

_HEAD = """\
def check_{entry}(candidate):
    import copy, json, math
    names = {{}}
    exec({reference!r}, names)
    reference, tolerance = names[{entry!r}], {atol!r}
"""
_AS_TUPLES = """\
    def as_tuples(value):
        return tuple(map(as_tuples, value)) if isinstance(value, list) else value
"""
_NEAR = """\
    def floats(value):
        many = isinstance(value, (list, tuple)) and value
        return all(isinstance(v, float) for v in (value if many else [value]))
    def near(a, b):
        if isinstance(b, (list, tuple)):
            return isinstance(a, (list, tuple)) and len(a) == len(b) and all(map(near, a, b))
        return a == b or math.isfinite(abs(b)) and abs(a - b) <= tolerance + 1e-7 * abs(b)
"""
_LOOP = """\
    for given in json.loads({inputs!r}):
        arguments = {shape}
        wanted = reference(*copy.deepcopy(arguments))
        found = candidate(*copy.deepcopy(arguments))
        same = {same}
"""
# As evalplus has it, once a float was expected the tolerance holds for the inputs that follow.
_TOLERANT = """\
        if tolerance == 0 and floats(wanted):
            tolerance = 1e-6
        if not same and tolerance != 0:
            same = type(found) is type(wanted) and near(found, wanted)
"""
_END = """\
        assert same, f"{entry}{{arguments!r}}: expected {{wanted!r}} but was {{found!r}}"

check_{entry}({entry})
"""


def read(path: Path, name: str | None) -> list[Suite]:
    """Both files that a folder has, or a single one."""
    files = _files(path)
    if name and len(files) > 1:
        raise PolyAssayError(
            f'{path} has {len(files)} suites, which cannot all be called "{name}".',
            "leave --as out, or give one file after --from.",
        )
    return [read_file(file, name) for file in files]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = {
        start: file
        for file in sorted(path.rglob("*.jsonl*"), reverse=True)
        for start in SUITES
        if file.name.lower().startswith((f"{start}.", f"{start}-v"))
    }
    if not found:
        raise PolyAssayError(
            f"{path} has no HumanEvalPlus.jsonl and no MbppPlus.jsonl.",
            "check the path after --from.",
        )
    return [found[start] for start in SUITES if start in found]


def read_file(file: Path, name: str | None) -> Suite:
    """The suite of one file, whichever of the two it is."""
    stem = file.name.lower()
    known = next((suite for start, suite in SUITES.items() if stem.startswith(start)), "")
    name = (name or known or stem.partition(".")[0]).lower()
    manifest = load_manifest("evalplus")
    return make_suite(
        name,
        [task_of(row, name) for row in rows_of(file)],
        version=manifest.version_of({file.name: file}),
        description=manifest.description,
        **manifest.about,
    )


def rows_of(file: Path) -> Iterator[Fields]:
    for number, value in read_jsonl(file, infinities=True):
        yield Fields(f"{file}, line {number}", value)


def has_inputs(file: Path) -> bool:
    """Whether a file's first row is one of evalplus: it has inputs besides tests, or instead."""
    _, first = next(iter(read_jsonl(file, infinities=True)))
    return isinstance(first, dict) and "plus_input" in first


def task_of(fields: Fields, suite: str) -> Task:
    """A row's task; its completions continue the prompt where that opens a function."""
    identity, entry = fields.text("task_id"), fields.text("entry_point")
    if not entry.isidentifier():
        fields.refuse("entry_point", "must be the name of a function")
    prompt = fields.text("prompt")
    reference = prompt + fields.text("canonical_solution")
    return Task(
        id=identity,
        suite=suite,
        language=Language.PYTHON,
        style=Style.FUNCTION,
        prompts={"en": prompt},
        tests=tuple(_tests(fields, identity, entry, reference)),
        entry=entry,
        context=prompt if f"def {entry}" in prompt else "",
        reference=reference,
        limits=replace(LIMITS, seconds=120.0, total_seconds=300.0) if identity in LONG else LIMITS,
        together_because=LARGE.get(identity, ""),
        cluster=question(identity),
    )


def _tests(fields: Fields, identity: str, entry: str, reference: str) -> Iterator[Test]:
    """The publisher's two units; Mbpp/793 has no plus inputs, and so no test of them."""
    atol = fields.values.get("atol") or 0
    if isinstance(atol, bool) or not isinstance(atol, int | float):
        fields.refuse("atol", "must be a number")
    if not fields.list("base_input"):
        fields.refuse("base_input", "must hold at least one input")
    for name in ("base", "plus"):
        inputs = fields.list(f"{name}_input") if fields.values.get(f"{name}_input") else []
        if not all(isinstance(given, list) for given in inputs):
            fields.refuse(f"{name}_input", "must hold lists of arguments")
        if inputs:
            yield Test(name, _code(identity, entry, reference, atol, inputs))


def _code(identity: str, entry: str, reference: str, atol: float, inputs: Sequence[object]) -> str:
    family = identity.partition("/")[0]
    oracle = _ORACLES.get(family, {}).get(entry, "")
    shape = _SHAPE_OF.get(identity, "given")
    tolerant = family != "HumanEval" or not oracle
    parts = [
        _HEAD,
        _AS_TUPLES if "as_tuples" in shape else "",
        _NEAR if tolerant else "",
        _LOOP,
        _TOLERANT if tolerant else "",
        _END,
    ]
    return "".join(parts).format(
        entry=entry,
        reference=reference,
        atol=atol,
        inputs=json.dumps(inputs),
        shape=shape,
        same=oracle or "found == wanted",
    )
