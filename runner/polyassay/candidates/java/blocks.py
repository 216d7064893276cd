"""One Java file of a chat's fenced blocks: the one that is asked for, and helpers that it names."""

import re

from polyassay.candidates.chat import code_blocks
from polyassay.candidates.java.edits import EditedAnswer
from polyassay.candidates.java.imports import declared_types
from polyassay.candidates.java.syntax import method_names, read_signature
from polyassay.candidates.java.tokens import TYPE_WORDS, Token, blank, directives, edited, tokens
from polyassay.model import Language


def take_block(work: EditedAnswer) -> None:
    """The fenced block that has the method or the class, with helpers from other blocks."""
    blocks = [block.code for block in code_blocks(work.code, Language.JAVA)]
    if not blocks:
        return
    name = read_signature(work.task.signature).name or work.task.simple_class_name
    declared = [_declared(tokens(code)) for code in blocks]
    chosen = next((n for n, (outer, inner) in enumerate(declared) if name in outer | inner), 0)
    many = len(blocks) > 1
    work.note(f"from fenced block {chosen + 1} of {len(blocks)}" if many else "from a fenced block")
    work.code = blocks[chosen]
    in_class = name not in declared[chosen][0] or name in declared_types(tokens(work.code))
    known = set(declared[chosen][0])
    waiting = [work.code]
    while waiting:
        words = set(re.findall(r"\w+", waiting.pop()))
        for code, (outer, inner) in zip(blocks, declared, strict=True):
            if not outer & words or (outer | inner) & known:
                continue
            if in_class and outer - declared_types(tokens(code)):
                continue  # a method, which no class can take
            known |= outer
            waiting.append(code)
            work.code = work.code.rstrip() + "\n\n" + code
            work.note("with helpers from other blocks")


def hoist_imports(work: EditedAnswer) -> None:
    """Imports that stand below a type, where javac allows none, go to the head."""
    found = tokens(work.code)
    first = next((t.start for t in found if t.depth == 0 and t.text in TYPE_WORDS), None)
    if first is None:
        return
    edits = []
    for word, name, place in directives(found):
        if found[place[0]].start > first:
            edits.append(blank(work.code, found[place[0]], found[place[-1]]))
            work.imports += [name] if word == "import" else []
    work.code = edited(work.code, edits)


def _declared(found: list[Token]) -> tuple[set[str], set[str]]:
    """Methods and types outside of all braces, and methods inside of a class."""
    outside, inside = ([t for t in found if t.depth == depth] for depth in (0, 1))
    methods = {outside[index].text for index in method_names(outside)}
    return (
        methods | declared_types(outside),
        {inside[index].text for index in method_names(inside)},
    )
