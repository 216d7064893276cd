"""How a program is started whose `main` takes nothing, as JDK 25 has it: `void main()`.

Such a main may belong to an object, and its class may not be written down. The class gets the main
that every JDK starts, which calls it.
"""

from polyassay.candidates.java.edits import EditedAnswer
from polyassay.candidates.java.syntax import method_names
from polyassay.candidates.java.tokens import Edit, Token
from polyassay.model import Style

MAIN = "main"
NOTE = "added: main(String[]), which calls main()"


def starter(work: EditedAnswer, members: list[Token]) -> str:
    """The main to add to the class with these members; empty where it needs none."""
    places = [index for index in method_names(members) if members[index].text == MAIN]
    if work.task.style is not Style.PROGRAM or not places:
        return ""
    if any(members[index + 2].text != ")" for index in places):
        return ""  # it has one with parameters
    work.note(NOTE)
    target = f"new {work.task.simple_class_name}()."
    if "static" in _modifiers(members, places[0]):
        target = ""
    return f"public static void main(String[] args) throws Throwable {{ {target}main(); }}"


def starter_edits(work: EditedAnswer, found: list[Token], main: str) -> list[Edit]:
    """The starter of a whole class, right behind its opening brace."""
    words = [token.text for token in found]
    start = next((n for n in range(1, len(found)) if words[n - 1 : n + 1] == ["class", main]), None)
    if start is None:
        return []
    opened = next((n for n in range(start, len(found)) if words[n] == "{"), None)
    if opened is None:
        return []
    inner = [token for token in found[opened + 1 :] if token.depth <= 1]
    end = next((n for n, token in enumerate(inner) if token.depth < 1), len(inner))
    code = starter(work, inner[:end])
    return [Edit(found[opened].end, found[opened].end, f" {code}")] if code else []


def _modifiers(members: list[Token], index: int) -> set[str]:
    first = index
    while first and members[first - 1].text not in (";", "}", "{", ")"):
        first -= 1
    return {token.text for token in members[first:index]}
