"""The cards of a page: all that is known of a network, in words, and where it would stand."""

from __future__ import annotations

import shlex
from typing import Any

from topoctl.fields import headline, unit_of
from topoctl.report.notes import name_of
from topoctl.report.page.contents import MOST_FLOORS, Page, column_of, meaning
from topoctl.report.page.floor_plan import floor_plan
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.table import value_text
from topoctl.runs.document import Row

TOLD_ABOVE = ("spec", "parameters", "pareto", "remark")
MOST_FACTS = 6
"""Numbers at a glance."""
MOST_SIDES = 6
"""Of a torus, say: a longer list of numbers is one of hops or of links."""
LONG_LIST = 24
"""Numbers of a list that are shown."""
IN_DRAWINGS = (
    "Floor plans: the fuller a rack, the darker; its title says what is in it. The wider a line, the more "
    "cables lie there, drawn along x first, then along y."
)


def cards(page: Page) -> Markup:
    """A card for every network of the front, and for the first others."""
    there, carded = len(page.shown), len(page.carded)
    notes = [f"Of {carded:,} networks: the front, and the first others."] if carded < there else []
    if page.standings:
        notes.append(IN_DRAWINGS)
    if len(page.front) > MOST_FLOORS:
        notes.append(f"Those of the first {MOST_FLOORS} on the front are drawn.")
    return tag(
        "section",
        tag("h2", "Each network"),
        tag("p", " ".join(notes), class_="note") if notes else "",
        tag("div", *(_card(page, place) for place in page.carded), class_="cards"),
    )


def _card(page: Page, place: int) -> Markup:
    """A network: its parameters, its numbers with units and meanings, commands for it, its floor."""
    row = page.rows[place]
    on_front = place in page.front
    standing = "recommended; " if place == page.recommended else "on the front; " if on_front else ""
    kinds = [str(row["family"])] if row.get("family") else []
    kinds += [f"{name} {_in_words(value)}" for name, value in (row.get("parameters") or {}).items()]
    return tag(
        "article",
        tag("h3", tag("a", name_of(row), href=f"#n{place}")),
        tag("p", standing, ", ".join(kinds)),
        tag("p", row["remark"]) if row.get("remark") else "",
        tag("pre", "\n".join(commands(row))) if commands(row) else "",
        _facts(page, row),
        _floor(page, place),
        tag("details", tag("summary", "all numbers"), _numbers(row)),
        id=f"c{place}",
        tabindex=-1,
        class_="front" if on_front else None,
    )


def _in_words(value: object) -> str:
    """A parameter: sides as 4x3x3, longer lists with spaces, so that lines can break.

    Example:
        >>> _in_words([4, 3, 3]), _in_words([[14, 0], [20, 1]]), _in_words([1, 17, 33, 49, 65, 81, 97])
        ('4x3x3', '14:0, 20:1', '1, 17, 33, 49, 65, 81, 97')
    """
    if not isinstance(value, list | tuple):
        return str(value)
    if all(isinstance(one, int) for one in value) and len(value) <= MOST_SIDES:
        return "x".join(map(str, value))
    return ", ".join(":".join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in value)


def _facts(page: Page, row: Row) -> Markup:
    """The numbers by which networks are compared, at a glance."""
    entries = [
        tag("div", tag("dt", headline(column.name)), tag("dd", value_text(row[column.name], column)))
        for column in page.quantities[:MOST_FACTS]
        if row.get(column.name) is not None
    ]
    return tag("dl", *entries, class_="facts") if entries else joined()


def _numbers(row: Row) -> Markup:
    """All fields that have a value, with their units, and what the glossary says of them."""
    lines = [
        tag(
            "tr",
            tag("th", field.replace("_", " "), scope="row"),
            tag("td", *_value_of(field, value), class_="value"),
            tag("td", meaning(field), class_="note"),
        )
        for field, value in row.items()
        if value is not None and field not in TOLD_ABOVE
    ]
    return tag("table", tag("tbody", *lines))


def _value_of(field: str, value: Any) -> list[object]:
    """A value and its unit."""
    column, said = column_of(field), unit_of(field)
    if isinstance(value, list) and len(value) > LONG_LIST:
        text = f"{value_text(value[:LONG_LIST], column)}, … ({len(value):,})"
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        text = "; ".join(value_text(one, column) for one in value)
    else:
        text = value_text(value, column)
    return [text, tag("span", f" {said}", class_="note")] if said else [text]


def commands(row: Row) -> list[str]:
    """How to have the network again."""
    if row.get("run") is not None:
        rank = row.get("run_rank", row.get("rank"))
        return [f"topoctl export --run {row['run']} --rank {rank} -o network.edges"]
    name = row.get("spec") or row.get("file")
    if not name or name == "-":
        return []
    word = shlex.quote(str(name))
    if not row.get("spec") and row.get("concentration"):  # a spec says it itself
        word += f" --p {row['concentration']}"
    planes = f" --planes {row['planes']}" if row.get("planes", 1) > 1 else ""
    return [f"topoctl evaluate {word}{planes}", f"topoctl export {word} -o network.edges"]


def _floor(page: Page, place: int) -> Markup:
    """Its floor, or why that is not drawn."""
    if place in page.standings:
        return floor_plan(page.standings[place])
    if place in page.unplaced:
        return tag("p", f"No floor plan: {page.unplaced[place]}", class_="note")
    return joined()
