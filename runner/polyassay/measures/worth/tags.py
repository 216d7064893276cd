"""What kind of difference there is between an answer and a reference."""

from collections.abc import Iterator, Sequence

from polyassay.measures.surface.tokens import odex_tokens
from polyassay.measures.surface.trees.tree import COMMENTS, Node, Tree, read_tree

SAME = "same as the reference"
SPACES = "white space or quotes only"
LITERAL = "literal result"
ONE_EDIT = "one-token edit"
OTHER_FUNCTION = "other function of the same library"
OTHER_WAY = "another way"

_LITERALS = frozenset(
    ("integer", "float", "string", "concatenated_string", "true", "false", "none",
     "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal",
     "binary_integer_literal", "decimal_floating_point_literal", "character_literal",
     "string_literal", "null_literal")
)  # fmt: skip
_AROUND = frozenset(
    ("module", "program", "expression_statement", "return_statement", "return", ";", "list",
     "tuple", "set", "dictionary", "pair", "parenthesized_expression", "unary_operator",
     "unary_expression", "expression_list", "[", "]", "(", ")", "{", "}", ",", ":", "-", "+")
)  # fmt: skip


def tags(answer: str, references: Sequence[str], language: str) -> list[str]:
    """By the reference that is closest; "another way" where no other tag fits."""
    if not answer.strip() or not references:
        return []
    tree = read_tree(answer, language)
    found = {tag for reference in references for tag in _against(answer, tree, reference, language)}
    if not tree.broken and _is_literal(tree):
        found.add(LITERAL)
    if SAME in found:
        return [SAME]
    order = (SPACES, LITERAL, ONE_EDIT, OTHER_FUNCTION)
    return [tag for tag in order if tag in found] or [OTHER_WAY]


def _against(answer: str, tree: Tree, reference: str, language: str) -> Iterator[str]:
    if answer.split() == reference.split():
        yield SAME
        return
    if odex_tokens(answer) == odex_tokens(reference):
        yield SPACES
        return
    known = read_tree(reference, language)
    ours, theirs = [t for _, t in tree.tokens], [t for _, t in known.tokens]
    if one_edit_apart(ours, theirs):
        yield ONE_EDIT
    if not tree.broken and _other_function(tree, known):
        yield OTHER_FUNCTION


def one_edit_apart(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one token changed, added or left out makes them equal, and they are not."""
    if abs(len(first) - len(second)) > 1 or list(first) == list(second):
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    rest, other = first[start:], second[start:]
    return list(rest[1:]) in (list(other[1:]), list(other)) or list(rest) == list(other[1:])


def _is_literal(tree: Tree) -> bool:
    """Whether the whole answer is a constant, or a list or mapping of constants."""
    waiting, any_literal = [tree.root], False
    while waiting:
        node = waiting.pop()
        if node.type in _LITERALS:
            any_literal = True
        elif node.type in _AROUND:
            waiting += node.children
        elif node.type not in COMMENTS:
            return False
    return any_literal


def _other_function(tree: Tree, known: Tree) -> bool:
    """Whether both call something of one library or object, and never the same thing of it."""
    ours, theirs = _calls(tree), _calls(known)
    return any(ours[name].isdisjoint(theirs[name]) for name in ours.keys() & theirs.keys())


def _calls(tree: Tree) -> dict[str, set[str]]:
    """What is called by its full name: library or object → functions."""
    found: dict[str, set[str]] = {}
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        path = _called(node, tree)
        if len(path) > 1:
            found.setdefault(".".join(path[:-1]), set()).add(path[-1])
    return found


def _called(node: Node, tree: Tree) -> list[str]:
    """a.b.c of a.b.c(…); empty where it is no such call."""
    if node.type == "method_invocation" and node.has("object"):  # Java
        owner, name = node.child("object"), node.child("name")
        texts = [text for _, text in tree.tokens[owner.first : owner.last]]
        plain = all(text == "." or text.isidentifier() for text in texts)
        return [t for t in texts if t != "."] + [tree.tokens[name.first][1]] if plain else []
    if node.type != "call" or not node.has("function"):
        return []
    function = node.child("function")
    texts = [text for _, text in tree.tokens[function.first : function.last]]
    plain = all(text == "." or text.isidentifier() for text in texts)
    return [text for text in texts if text != "."] if plain else []
