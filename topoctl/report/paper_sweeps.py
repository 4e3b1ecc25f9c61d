"""The papers' sweeps as they print and draw them: a matrix of diameters, tables in colours, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from topoctl.fields import Column
from topoctl.layout import Layout
from topoctl.papers.sweep_cells import ComparedDiameter
from topoctl.papers.sweeps import Sweep, sweep
from topoctl.report.messages import print_sentence
from topoctl.report.plots.charts import Series, Style, draw_curves
from topoctl.report.plots.tables import draw_diameter_table
from topoctl.report.table import Cells, Table, print_matrix, print_rows
from topoctl.runs.document import Document, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

LEGEND = (
    "rows: K, columns: L; * equals the lower bound, < below the paper's, > above the paper's, "
    "(n) pairs beyond the diameter wanted next"
)
AXES = {"length_limit": ("longest link L", "L"), "degree": ("degree K", "K")}
OWN_BOUNDS = {"degree": ("aspl_lower_bound", "A_m⁻"), "length_limit": ("length_aspl_bound", "A_d⁻")}
"""By what they depend on: a field, and the paper's name for it."""


def draw_diameters_or_rows(console: Console, document: Document, table: Table) -> None:
    """Print the matrix of a sweep for the least diameter; else, or where columns are named, a line a cell."""
    if document["parameters"]["objective"] == "diameter" and not table.every:
        _print_diameters(console, document["results"])
    else:
        print_rows(console, document["results"], table)


def _print_diameters(console: Console, rows: list[Row]) -> None:
    """Print one table for every layout; a cell that has not been searched stays empty."""
    for layout in dict.fromkeys((row["layout"], row["width"], row["height"]) for row in rows):
        own = {
            (row["degree"], row["length_limit"]): _marked_diameter(row)
            for row in rows
            if (row["layout"], row["width"], row["height"]) == layout
        }
        degrees, lengths = (sorted({*numbers}) for numbers in zip(*own, strict=True))
        kind, width, height = layout
        first = _cells(f"{kind} {width}x{height}", map(str, degrees))
        others = [
            _cells(str(length), (own.get((degree, length), "") for degree in degrees)) for length in lengths
        ]
        print_matrix(console, first, others)
    print_sentence(console, LEGEND)


def _cells(heading: str, texts: Iterable[str]) -> Cells:
    """Return a column of the matrix."""
    return Cells(Column(heading, heading), heading, [*texts], number=False)


def _marked_diameter(row: Row) -> str:
    """Return a diameter with marks: beside its bound and the paper's, and the pairs beyond the next one.

    Example:
        >>> _marked_diameter({"diameter": 7, "layout_diameter_bound": 6, "published_diameter": 8})
        '7<'
        >>> row = {"diameter": 7, "layout_diameter_bound": 6, "wanted_diameter": 6, "pairs_beyond_wanted": 5}
        >>> _marked_diameter(row)
        '7(5)'
    """
    diameter, printed = row["diameter"], row.get("published_diameter", row["diameter"])
    text = f"{diameter}{'*' * (diameter == row['layout_diameter_bound'])}"
    text += "<" * (diameter < printed) + ">" * (diameter > printed)
    wanted = row.get("wanted_diameter")
    return text if wanted is None else f"{text}({row['pairs_beyond_wanted']})"


def draw_sweep(document: Document, balanced: Callable[[Layout], list[tuple[int, int]]]) -> Figure:
    """Draw what a sweep found, as the paper draws it.

    Args:
        document: of ``optimize sweep``, finished or not.
        balanced: the well-balanced pairs K, L of a layout.

    Raises:
        InvalidParameters: its sweep is unknown here.
    """
    known, rows = sweep(document["parameters"]["name"]), document["results"]
    match known.picture:
        case "table":
            return _diameter_table(known, rows)
        case "pairs":
            return _balanced_pairs(known, rows, balanced)
    lines = _balance_curves(rows) if known.objective == "bounds" else _network_curves(known, rows)
    y_label = "diameter" if known.objective == "diameter" else "ASPL"
    return draw_curves(lines, x_label=AXES[known.picture][0], y_label=y_label, title=known.title)


def _diameter_table(known: Sweep, rows: Sequence[Row]) -> Figure:
    """Draw the table of diameters by K and L."""
    cells = {
        (str(row["degree"]), str(row["length_limit"])): ComparedDiameter(
            row["diameter"], row["layout_diameter_bound"], row.get("published_diameter")
        )
        for row in rows
    }
    degrees = [str(degree) for degree in sorted({row["degree"] for row in rows})]
    lengths = [str(length) for length in sorted({row["length_limit"] for row in rows})]
    return draw_diameter_table(
        degrees, lengths, cells, title=known.title, row_label=AXES["degree"][0], column_label="longest link L"
    )


def _network_curves(known: Sweep, rows: Sequence[Row]) -> list[Series]:
    """Return for every K, or L, and layout ours, the bound and the paper's; and the bounds by themselves."""
    by = "length_limit" if known.picture == "degree" else "degree"
    quantity = "diameter" if known.objective == "diameter" else "aspl"
    fields: dict[Style, str] = {
        "computed": quantity,
        "bound": f"layout_{quantity}_bound",
        "paper": f"published_{quantity}",
    }
    lines = []
    for layout, value in dict.fromkeys((row["layout"], row[by]) for row in rows):
        own = [row for row in rows if (row["layout"], row[by]) == (layout, value)]
        name = f"{f'{layout} ' if len(known.blocks) > 1 else ''}{AXES[by][1]} = {value}"
        lines += [Series.of_rows(name, own, known.picture, field, style) for style, field in fields.items()]
        if len(known.blocks) == 1 and quantity == "aspl":
            field, symbol = OWN_BOUNDS[by]
            lines.append(Series.of_rows(f"{symbol}({value})", own, known.picture, field, "bound"))
    if len(known.blocks) == 1 and quantity == "aspl":
        field, symbol = OWN_BOUNDS[known.picture]
        common = list({row[known.picture]: row for row in rows}.values())
        name = f"{symbol}({AXES[known.picture][1]})"
        lines.append(Series.of_rows(name, common, known.picture, field, "bound"))
    return [line for line in lines if len(line.x)]


def _balance_curves(rows: Sequence[Row]) -> list[Series]:
    """Return the three bounds of well-balanced pairs against K, with the printed values as rings."""
    names = {"aspl_lower_bound": "A_m⁻(K)", "length_aspl_bound": "A_d⁻(L)", "layout_aspl_bound": "A⁻(K, L)"}
    lines = []
    for field, name in names.items():
        lines.append(Series.of_rows(name, rows, "degree", field, "computed"))
        lines.append(Series.of_rows(name, rows, "degree", f"published_{field}", "paper"))
    return lines


def _balanced_pairs(
    known: Sweep, rows: Sequence[Row], balanced: Callable[[Layout], list[tuple[int, int]]]
) -> Figure:
    """Draw all well-balanced pairs of every layout, with the paper's examples as rings."""
    lines = []
    for kind, width, height in dict.fromkeys((row["layout"], row["width"], row["height"]) for row in rows):
        layout, name = Layout(kind, width, height), f"{kind} {width}x{height}"
        pairs = balanced(layout)
        lines.append(Series(name, [length for _, length in pairs], [degree for degree, _ in pairs]))
        own = [
            row for row in rows if row["layout"] == kind and (row["width"], row["height"]) == (width, height)
        ]
        lines.append(Series.of_rows(name, own, "length_limit", "degree", "paper"))
    return draw_curves(lines, x_label=AXES["length_limit"][0], y_label=AXES["degree"][0], title=known.title)
