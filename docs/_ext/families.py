"""What the records of the families say, written into their pages when these are read.

The comment ``family NAME`` stands below the title of a family's page, and becomes all that its record says,
its picture and its examples, measured; with ``: SPEC`` that network is drawn instead of the first example.
What the record does not hold is written by hand below. The comment ``gallery`` becomes the pictures of all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tables import plain

from topoctl.analysis.assessment import Assessment, assess
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES, drawing_of, placement_of, topology_from_spec
from topoctl.families.record import Family, Parameter
from topoctl.fields import COLUMNS, FIELDS
from topoctl.report.plots import draw_network, save_figure

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = re.compile(r"^<!-- (?:gallery|family (?P<name>\w+)(?:: (?P<shown>.+))?) -->$", re.MULTILINE)
MEASURED = (
    *("order", "links", "network_radix", "concentration", "router_radix"),
    *("diameter", "aspl", "aspl_gap"),
)
LARGEST = 2**31 - 1


def expand(app: Sphinx, page: str, source: list[str]) -> None:
    """Write the records into a page."""
    folder, pictures = Path(app.env.doc2path(page)).parent, Path(app.doctreedir) / "families"

    def told(mark: re.Match[str]) -> str:
        if mark["name"] is None:
            return "\n".join(gallery(folder, pictures))
        family = FAMILIES[mark["name"]]
        drawn, file = picture(mark["shown"] or family.examples[0], pictures)
        return "\n".join(of_family(family, drawn, os.path.relpath(file, folder)))

    source[0] = MARK.sub(told, source[0])


@cache
def picture(spec: str, pictures: Path) -> tuple[Assessment, Path]:
    """Measure a network, and draw it among what is built."""
    found = assess(topology_from_spec(spec))
    pictures.mkdir(exist_ok=True)
    file = pictures / f"{found.topology.family}.svg"
    save_figure(draw_network(found.topology, drawing_of(found.topology), found), file)
    return found, file


def gallery(folder: Path, pictures: Path) -> Iterator[str]:
    """All families, as the pages of a folder show them, by title."""
    yield "::::{container} gallery"
    for family in sorted(FAMILIES.values(), key=lambda one: one.title.casefold()):
        mark = MARK.search((folder / f"{family.name}.md").read_text())
        spec = (mark and mark["shown"]) or family.examples[0]
        file = os.path.relpath(picture(spec, pictures)[1], folder)
        yield from (f":::{{figure}} {file}", f":target: {family.name}.html", f":alt: {spec}, drawn", "")
        yield from (f"[{plain(family.title)}]({family.name}.md)", "", f"`{family.name}`", ":::")
    yield "::::"


def of_family(family: Family, drawn: Assessment, file: str) -> Iterator[str]:
    """The page of a family, below its title.

    Args:
        family: its record.
        drawn: the network of the picture.
        file: the picture.
    """
    yield from (plain(family.definition), "", f"Source: {plain(family.source)}.", "")
    yield from (f":::{{figure}} {file}", f":alt: {drawn.topology.spec}, drawn", "")
    yield from (f"`topoctl plot '{drawn.topology.spec}'`", ":::", "")
    yield from parameters(family)
    yield from ("## Closed forms", "", "Claims that the tests hold against measured networks.", "")
    yield from (*(f"- {plain(form)}" for form in family.closed_forms), "")
    yield from examples(family)
    yield from own_measures(drawn)
    yield from ("## What topoctl knows of it", "", *known(family, drawn))


def parameters(family: Family) -> Iterator[str]:
    """Its parameters in the order of a spec; a notation of its own has ranges of its own, too."""
    ranges = ["values"] if family.complete is not dict else []
    yield from ("## Parameters", "", row("parameter", "meaning", *ranges, "when omitted"))
    yield row("---", "---", *("---" for _ in ranges), "---")
    for one in family.parameters:
        values = [values_of(one)] if ranges else []
        yield row(f"`{one.name}`", plain(one.meaning), *values, plain(one.default or "must be given"))
    yield ""


def values_of(parameter: Parameter) -> str:
    """What a parameter may be."""
    if parameter.kind == "word":
        return ", ".join(f"`{word}`" for word in parameter.choices)
    most = "or more" if parameter.most == LARGEST else f"to {parameter.most}"
    number = f"{parameter.least} {most}"
    return f"sizes such as `4x4x3`, each {number}" if parameter.kind == "sizes" else number


def examples(family: Family) -> Iterator[str]:
    """Its examples, measured now."""
    yield from ("## Examples", "", "Measured when this page was built.", "")
    yield row("network", *(COLUMNS[field].heading for field in MEASURED))
    yield row("---", *("--:" for _ in MEASURED))
    for spec in family.examples:
        found = assess(topology_from_spec(spec))
        numbers = found.numbers()
        yield row(f"`{found.topology.spec}`", *(cell(field, numbers[field]) for field in MEASURED))
    yield ""


def own_measures(drawn: Assessment) -> Iterator[str]:
    """The numbers that only networks of the family have, and what they are for the picture's."""
    if drawn.own:
        yield from ("Its networks have numbers of their own in JSON and CSV; here those of the picture:", "")
        yield from (row("field", "meaning", "picture"), row("---", "---", "--:"))
        for field, value in drawn.own.items():
            yield row(f"`{field}`", plain(FIELDS[field].meaning), cell(field, value))
        yield ""


def known(family: Family, drawn: Assessment) -> Iterator[str]:
    """What else is declared: symmetry, cabinets, bounds, how it is enumerated."""
    symmetry, order = drawn.topology.symmetry, drawn.topology.graph.order
    if symmetry is not None:
        orbits = len(symmetry.orbits()[0])
        seen = "one search measures the picture's network"
        if orbits > 1:
            seen = f"{orbits} searches, not {order}, measure the picture's network"
        yield f"- [Symmetry](../explanation/symmetry.md): {seen}."
    try:
        cabinets = len(placement_of(drawn.topology).places)
        yield f"- Cabinets: it says which routers share one; the picture's network has {cabinets}."
    except InvalidParameters:
        pass
    if family.own_bounds:
        yield "- [Bounds](../explanation/bounds.md) of its own on diameter and ASPL, tighter than Moore's."
    if family.lattice is None:
        yield "- Enumeration: none; its networks are searched."
    elif family.random:
        yield f"- Enumeration: `topoctl enumerate {family.name}`, with seed 0; random, so not with `all`."
    else:
        yield f"- Enumeration: `topoctl enumerate {family.name}`, and with `all`."


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def cell(field: str, value: Any) -> str:
    """A number as tables have it."""
    if isinstance(value, float):
        return f"{value:.{COLUMNS[field].decimals if field in COLUMNS else 5}f}"
    return "–" if value is None else f"{value:,}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Let pages be expanded as they are read."""
    app.connect("source-read", expand)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
