"""Rows of evalplus that have inputs only: what is right is what the canonical solution returns."""

from polyassay.model import Test
from polyassay.suites.native.fields import Fields

# In the test, so that it stands where the tests stand: out of the candidate's reach.
_CODE = """
def check(candidate):
    import copy, math
    names = {{}}
    exec({reference!r}, names)
    def same(found, wanted):
        if type(wanted) is float and type(found) in (int, float):
            return found == wanted or math.isclose(found, wanted, rel_tol=1e-7, abs_tol={atol!r})
        if type(wanted) in (list, tuple) and type(found) is type(wanted):
            return len(found) == len(wanted) and all(map(same, found, wanted))
        return found == wanted
    for arguments in {inputs!r}:
        wanted = names[{entry!r}](*copy.deepcopy(arguments))
        found = candidate(*copy.deepcopy(arguments))
        assert same(found, wanted), f"{{arguments}}: expected {{wanted!r}} but was {{found!r}}"

check({entry})
"""


def base_and_plus(fields: Fields, entry: str, reference: str) -> tuple[Test, ...]:
    """The publisher's two units, each over all of its inputs."""
    atol = fields.values.get("atol") or 0
    if isinstance(atol, bool) or not isinstance(atol, int | float):
        fields.refuse("atol", "must be a number")
    tests = []
    for name in ("base", "plus"):
        inputs = fields.list(f"{name}_input")
        if inputs:
            code = _CODE.format(
                reference=reference, atol=max(atol, 1e-6), inputs=inputs, entry=entry
            )
            tests.append(Test(name, code.lstrip()))
    if not tests:
        fields.refuse("base_input", "is missing, and there is no test either")
    return tuple(tests)
