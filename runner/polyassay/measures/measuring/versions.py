"""What values depend on besides the answers: our rules, and the libraries that compute them."""

import hashlib
import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from polyassay.errors import PolyAssayError

# Raise it whenever a value changes for the same answer, and when a measure is added: a run that
# was measured before gets the new values only then.
MEASURING = 1
PACKAGES = (
    "lizard",
    "nltk",
    "rouge-score",
    "sacrebleu",
    "tree-sitter",
    "tree-sitter-java",
    "tree-sitter-python",
)
_MODULES = {"rouge-score": "rouge_score", "tree-sitter-python": "tree_sitter_python"}


@cache
def versions() -> dict[str, str]:
    """By name; a PolyAssayError where a library is missing."""
    found = {"rules": str(MEASURING)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            raise _missing(package) from None
        if not find_spec(_MODULES.get(package, package.replace("-", "_"))):
            raise _missing(package)
    found["synonyms"] = _synonyms()
    return found


def _synonyms() -> str:
    from polyassay.measures.surface.texts import wordnet

    found = wordnet()
    return f"WordNet {found}" if found else "of common words only"


def _missing(package: str) -> PolyAssayError:
    return PolyAssayError(
        f"{package} is not installed, which measures need.",
        hint="Install them all: pip install 'polyassay[measures]'.",
    )


def fingerprint(besides: str = "") -> str:
    """One short name for all of it; `besides` is whatever else shaped the values."""
    text = json.dumps([versions(), besides], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
