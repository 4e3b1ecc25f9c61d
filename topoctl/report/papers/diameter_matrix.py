"""Diameters by degree and length limit, as a table of one line a degree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.report.document import Document, Row
from topoctl.report.messages import print_line
from topoctl.report.table import Table, print_rows

if TYPE_CHECKING:
    from rich.console import Console

LEGEND = (
    "rows: K, columns: L; * equals the lower bound, < below the paper's, > above the paper's, "
    "(n) pairs beyond the diameter wanted next"
)


def draw_diameters_or_rows(console: Console, document: Document, table: Table) -> None:
    """The matrix of a sweep for the least diameter; one line a cell of the others."""
    if document["parameters"]["objective"] == "diameter":
        print_matrix(console, document["results"])
    else:
        print_rows(console, document["results"], table.columns)


def print_matrix(console: Console, rows: list[Row]) -> None:
    """One table for every layout; a cell that has not been searched stays empty."""
    from rich.table import Table

    for layout in dict.fromkeys((row["layout"], row["width"], row["height"]) for row in rows):
        own = {
            (row["degree"], row["length_limit"]): row
            for row in rows
            if (row["layout"], row["width"], row["height"]) == layout
        }
        lengths = sorted({length for _, length in own})
        kind, width, height = layout
        table = Table(box=None, pad_edge=False, header_style="bold" if console.is_terminal else "")
        table.add_column(f"{kind} {width}x{height}", no_wrap=True)
        for length in lengths:
            table.add_column(str(length), no_wrap=True)
        for degree in sorted({degree for degree, _ in own}):
            table.add_row(str(degree), *(marked(own.get((degree, length))) for length in lengths))
        console.print(table)
    print_line(console, LEGEND)


def marked(row: Row | None) -> str:
    """A diameter with what there is to say of it.

    Example:
        >>> marked({"diameter": 7, "layout_diameter_bound": 6, "published_diameter": 8})
        '7<'
        >>> row = {"diameter": 7, "layout_diameter_bound": 6, "wanted_diameter": 6, "pairs_beyond_wanted": 5}
        >>> marked(row)
        '7(5)'
    """
    if row is None:
        return ""
    diameter, printed = row["diameter"], row.get("published_diameter", row["diameter"])
    text = f"{diameter}{'*' * (diameter == row['layout_diameter_bound'])}"
    text += "<" * (diameter < printed) + ">" * (diameter > printed)
    wanted = row.get("wanted_diameter")
    return text if wanted is None else f"{text}({row['pairs_beyond_wanted']})"
