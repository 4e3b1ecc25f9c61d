"""The tables of the manual that records hold: `python docs/tables.py` writes them into its pages.

A table stands between the comments ``NAME: begin`` and ``NAME: end``, so that a page is whole wherever it is
read; a test holds it against the records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from topoctl.families import FAMILIES
from topoctl.formats import FORMATS
from topoctl.routing import ROUTINGS
from topoctl.routing.patterns import PATTERNS
from topoctl.routing.patterns.record import Pattern
from topoctl.simulation.workloads import WORKLOADS
from topoctl.simulation.workloads.record import Workload
from topoctl.wiring.names import FIELDS
from topoctl.wiring.targets import TARGETS

Rows = Iterator[tuple[str, ...]]

DOCS = Path(__file__).parent
PLACE = re.compile(
    r"(?P<begin><!-- (?P<name>\w+): begin -->\n).*?(?P<end><!-- (?P=name): end -->)", re.DOTALL
)


def families() -> Rows:
    """All families, by title."""
    yield "family", "name", "what it is", "an example"
    for family in sorted(FAMILIES.values(), key=lambda one: one.title.casefold()):
        page = f"[{plain(family.title)}]({family.name}.md)"
        yield page, f"`{family.name}`", plain(family.definition), f"`{family.examples[0]}`"


def routings() -> Rows:
    """All routings."""
    yield "routing", "what it does", "source"
    for routing in ROUTINGS.values():
        yield f"`{routing.name}`", routing.title, routing.source


def patterns() -> Rows:
    """All patterns of traffic."""
    yield "pattern", "every endpoint sends", "source"
    for pattern in PATTERNS.values():
        yield called(pattern), pattern.title, pattern.source


def workloads() -> Rows:
    """All work to be completed."""
    yield "work", "what it does", "source"
    for workload in WORKLOADS.values():
        yield called(workload), workload.title, workload.source


def formats() -> Rows:
    """All formats of files."""
    yield "name", "format", "suffixes", "holds beside links", "what it is"
    for known in FORMATS.values():
        title = known.title if known.is_read else f"{known.title} (written only)"
        suffixes = " ".join(f"`{suffix}`" for suffix in known.suffixes)
        yield f"`{known.name}`", title, suffixes, ", ".join(sorted(known.holds)) or "–", known.remark


def targets() -> Rows:
    """All tools that take a plan of the cables."""
    yield "name", "plan", "written to", "holds", "what it is"
    for target in TARGETS.values():
        place = " ".join(f"`{suffix}`" for suffix in target.suffixes) or "a folder"
        yield f"`{target.name}`", target.title, place, ", ".join(sorted(target.holds)), target.remark


def naming() -> Rows:
    """What the patterns of names may hold."""
    yield "of", "field", "what it is"
    for kind, known in FIELDS.items():
        for name, meaning in known.items():
            yield f"`{kind}`", f"`{{{name}}}`", meaning


TABLES: dict[str, Callable[[], Rows]] = {
    one.__name__: one for one in (families, routings, patterns, workloads, formats, targets, naming)
}


def filled(page: str) -> str:
    """The text of a page with the tables that it has places for."""

    def table(place: re.Match[str]) -> str:
        headings, *rows = TABLES[place["name"]]()
        lines = (f"| {' | '.join(row)} |\n" for row in (headings, ["---"] * len(headings), *rows))
        return f"{place['begin']}\n{''.join(lines)}\n{place['end']}"

    return PLACE.sub(table, page)


def called(record: Pattern | Workload) -> str:
    """The name of a record with its parameters."""
    names = ",".join(f"{one.name}=…" for one in record.parameters)
    return f"`{record.name}{f'({names})' if names else ''}`"


def plain(text: str) -> str:
    """A text of a record as Markdown that shows the same characters."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~^" else letter for letter in text)


if __name__ == "__main__":
    for page in DOCS.rglob("*.md"):
        page.write_text(filled(page.read_text()))
