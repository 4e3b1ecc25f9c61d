"""The table of a page: a line for every network, to be sorted by any column."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.fields import COLUMNS, Column
from topoctl.report.notes import counted, name_of
from topoctl.report.page.contents import Page, meaning, title
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.table import SCORES, value_text
from topoctl.runs.document import Row

MOST_AT_ONCE = 60
"""Lines of a table that are all shown; of a longer one a part, under its headings."""
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
        tag(
            "div",
            table,
            class_=f"wide{' tall' if len(body) > MOST_AT_ONCE else ''}",
            tabindex=0,
            role="region",
            aria_label="table of networks",
        ),
    )


def _how_many(page: Page) -> str:
    """How many networks there are, and are shown."""
    there, shown_here = len(page.rows), len(page.shown)
    if shown_here == there:
        return f"{counted(there, 'network')}; a heading sorts, again the other way."
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
        sign, said = ("★", "recommended") if place == page.recommended else ("●", "on the front")
        text = joined(tag("span", sign, class_="mark", role="img", aria_label=said, title=said), text)
    cells = [_cell(row, column, kind) for column, kind in columns]
    first = tag("th", text, scope="row", data_v=name)
    return tag("tr", first, *cells, id=f"n{place}", data_n=place, class_="front" if on_front else None)


def _cell(row: Row, column: Column, kind: str) -> Markup:
    """A number or a text, beside the value that sorts it."""
    value = row.get(column.name)
    text = value_text(value, column)
    sorted_by = int(value) if isinstance(value, bool) else value
    return tag("td", text, class_=kind, data_v=sorted_by, data_h=title(column))


def html_table(rows: Sequence[Row]) -> str:
    """The rows as a table of HTML for notebooks, with the columns that any row fills.

    Example:
        >>> html_table([{"spec": "torus(dims=4)", "diameter": 2, "mine": 1}])
        '<table><tr><th>network</th><th>D</th></tr><tr><td>torus(dims=4)</td><td>2</td></tr></table>'
    """
    filled = [name for name in COLUMNS if any(row.get(name) is not None for row in rows)]
    columns = [COLUMNS[name] for name in dict.fromkeys((*SCORES, *filled)) if name in filled]
    cells = [[tag("td", value_text(row.get(one.name), one)) for one in columns] for row in rows]
    headings = tag("tr", *(tag("th", one.heading) for one in columns))
    return tag("table", headings, *(tag("tr", *line) for line in cells))
