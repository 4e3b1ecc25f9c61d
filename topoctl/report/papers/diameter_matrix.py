"""Diameters by degree and length limit, as a table of one line a degree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from topoctl.fields import Column
from topoctl.report.fitting import Cells, parts
from topoctl.report.messages import print_sentence
from topoctl.report.table import Table
from topoctl.report.table_rows import print_rows, print_side_by_side
from topoctl.runs.document import Document, Row

if TYPE_CHECKING:
    from rich.console import Console

LEGEND = (
    "rows: K, columns: L; * equals the lower bound, < below the paper's, > above the paper's, "
    "(n) pairs beyond the diameter wanted next"
)


def draw_diameters_or_rows(console: Console, document: Document, table: Table) -> None:
    """The matrix of a sweep for the least diameter; one line a cell of the others, or of named columns."""
    if document["parameters"]["objective"] == "diameter" and not table.every:
        print_matrix(console, document["results"])
    else:
        print_rows(console, document["results"], table)


def print_matrix(console: Console, rows: list[Row]) -> None:
    """One table for every layout; a cell that has not been searched stays empty."""
    for layout in dict.fromkeys((row["layout"], row["width"], row["height"]) for row in rows):
        own = {
            (row["degree"], row["length_limit"]): marked(row)
            for row in rows
            if (row["layout"], row["width"], row["height"]) == layout
        }
        degrees, lengths = (sorted({*numbers}) for numbers in zip(*own, strict=True))
        kind, width, height = layout
        first = text_cells(f"{kind} {width}x{height}", map(str, degrees))
        others = [
            text_cells(str(length), (own.get((degree, length), "") for degree in degrees))
            for length in lengths
        ]
        for part in parts(first, others, console.width):
            print_side_by_side(console, [(one, one.width) for one in part])
    print_sentence(console, LEGEND)


def text_cells(heading: str, texts: Iterable[str]) -> Cells:
    """A column of the matrix."""
    return Cells(Column(heading, heading), heading, [*texts], number=False)


def marked(row: Row) -> str:
    """A diameter with what there is to say of it.

    Example:
        >>> marked({"diameter": 7, "layout_diameter_bound": 6, "published_diameter": 8})
        '7<'
        >>> row = {"diameter": 7, "layout_diameter_bound": 6, "wanted_diameter": 6, "pairs_beyond_wanted": 5}
        >>> marked(row)
        '7(5)'
    """
    diameter, printed = row["diameter"], row.get("published_diameter", row["diameter"])
    text = f"{diameter}{'*' * (diameter == row['layout_diameter_bound'])}"
    text += "<" * (diameter < printed) + ">" * (diameter > printed)
    wanted = row.get("wanted_diameter")
    return text if wanted is None else f"{text}({row['pairs_beyond_wanted']})"
