"""The first page in a few lines of Markdown: for a job's page, a pull request or a chat."""

import re
from dataclasses import replace

from polyassay.report.sections.page_tables import scores_table
from polyassay.report.tables import markdown
from polyassay.report.views import Site
from polyassay.shown_text import clean
from polyassay.texts import say

_SPECIAL = {char: f"\\{char}" for char in "\\`*_{}[]#~"} | {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
}


def markdown_summary(site: Site) -> str:
    """The answer, what to do and the scores, which a chat shows; the rest is folded."""
    first = [*site.sentences[:1], *site.advice]
    scores = scores_table(site)
    rows = tuple((_plain(str(tool)), *cells) for tool, *cells in scores.rows)
    scores = replace(scores, rows=rows)
    parts = [f"### {_plain(site.headline)}", *map(_plain, first), markdown(scores).strip()]
    rest = [_plain(sentence) for sentence in site.sentences[1:]]
    if site.head_to_head:
        head = site.head_to_head
        a, b, solved = _plain(head.a), _plain(head.b), head.solved
        rest.append(
            say(
                "Tasks solved by both: {both}; only by {a}: {only_a}; only by {b}: {only_b}; "
                "by neither: {neither}.",
                a=a,
                b=b,
                both=solved.both,
                only_a=solved.only_a,
                only_b=solved.only_b,
                neither=solved.neither,
            )
        )
    rest += [_plain(note) for note in site.notes]
    if rest:
        listed = "\n".join(f"- {line}" for line in rest)
        summary = f"<summary>{say('Details')}</summary>"
        parts.append(f"<details>{summary}\n\n{listed}\n\n</details>")
    parts.append(f"<sub>{_plain(' · '.join([site.title, *site.facts[1:]]))}</sub>")  # suites once
    return clean("\n\n".join(parts) + "\n")


# Commands and flags of ours, which stay code.
_OURS = re.compile(r"(`(?:polyassay |--)[-a-z0-9 ]+`)")


def _plain(text: str) -> str:
    """As one line that means nothing to Markdown; names of tools may hold anything."""
    parts = _OURS.split(" ".join(text.split()))
    return "".join(
        part if place % 2 else "".join(_SPECIAL.get(char, char) for char in part)
        for place, part in enumerate(parts)
    )
