"""The table of a page: a line for every network, to be sorted by any column."""

from __future__ import annotations

from topoctl.fields import Column
from topoctl.report.notes import name_of
from topoctl.report.page.contents import Page, meaning, title
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.table import value_text
from topoctl.runs.document import Row

NAMES = ("spec", "file", "pareto")
"""Fields that the first column tells."""


def listing(page: Page) -> Markup:
    """The table, and how much of the document it is."""
    columns = [
        (column, "sentence" if column.sentences else "number" if _numeric(page, column) else "text")
        for column in page.table
        if column.name not in NAMES
    ]
    front = set(page.front)
    head = [_heading(Column("name", "network"), "text")]
    head += [_heading(column, kind) for column, kind in columns]
    body = [_line(page, place, columns, on_front=place in front) for place in page.shown]
    table = tag(
        "table",
        tag("thead", tag("tr", *head)),
        tag("tbody", *body),
        id="networks",
    )
    return tag(
        "section",
        tag("h2", "Networks"),
        tag("p", _how_many(page), class_="note"),
        tag("div", table, class_="wide tall", tabindex=0, role="region", aria_label="table of networks"),
    )


def _how_many(page: Page) -> str:
    """How many networks there are, and are shown."""
    there, shown_here = len(page.rows), len(page.shown)
    if shown_here == there:
        return f"{there:,} {'network' if there == 1 else 'networks'}; a heading sorts, again the other way."
    return (
        f"{shown_here:,} of {there:,} networks: the front, and the first others. --output FILE.csv has all. "
        "A heading sorts, again the other way."
    )


def _numeric(page: Page, column: Column) -> bool:
    """Whether a column is sorted by number."""
    return all(isinstance(row.get(column.name), int | float | None) for row in page.rows)


def _heading(column: Column, kind: str) -> Markup:
    """A heading, which sorts."""
    button = tag("button", title(column), type="button", title=meaning(column.name) or None)
    return tag("th", button, scope="col", data_kind=kind, class_=kind)


def _line(page: Page, place: int, columns: list[tuple[Column, str]], *, on_front: bool) -> Markup:
    """A row: its name, which leads to its card, and its numbers."""
    row = page.rows[place]
    name = name_of(row)
    text = tag("a", name, href=f"#c{place}") if place in page.carded else joined(name)
    if on_front:
        text = joined(tag("span", "●", class_="mark", role="img", aria_label="on the front"), text)
    cells = [_cell(row, column, kind) for column, kind in columns]
    first = tag("th", text, scope="row", data_v=name)
    return tag("tr", first, *cells, id=f"n{place}", data_n=place, class_="front" if on_front else None)


def _cell(row: Row, column: Column, kind: str) -> Markup:
    """A number or a text, beside the value that sorts it."""
    value = row.get(column.name)
    text = value_text(value, column)
    return tag("td", text, class_=kind, data_v=int(value) if isinstance(value, bool) else value)
