"""The pictures of sweeps: the paper's tables and figures, drawn from the rows of a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.layout import Layout
from topoctl.papers.sweep_cells import ComparedDiameter
from topoctl.papers.sweeps import Sweep, sweep
from topoctl.report.papers.diameter_table import draw_table
from topoctl.report.plots.curves import Series, Style, draw_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.runs.document import Document, Row

AXES = {"length_limit": ("longest link L", "L"), "degree": ("degree K", "K")}
OWN_BOUNDS = {"degree": ("aspl_lower_bound", "A_m⁻"), "length_limit": ("length_aspl_bound", "A_d⁻")}
"""By what they depend on: a field, and the paper's name for it."""


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
            return draw_diameters(known, rows)
        case "pairs":
            return draw_pairs(known, rows, balanced)
    lines = balance_lines(rows) if known.objective == "bounds" else curves(known, rows)
    y_label = "diameter" if known.objective == "diameter" else "ASPL"
    return draw_curves(lines, x_label=AXES[known.picture][0], y_label=y_label, title=known.title)


def draw_diameters(known: Sweep, rows: Sequence[Row]) -> Figure:
    """The table of diameters by K and L."""
    cells = {
        (str(row["degree"]), str(row["length_limit"])): ComparedDiameter(
            row["diameter"], row["layout_diameter_bound"], row.get("published_diameter")
        )
        for row in rows
    }
    degrees = [str(degree) for degree in sorted({row["degree"] for row in rows})]
    lengths = [str(length) for length in sorted({row["length_limit"] for row in rows})]
    return draw_table(
        degrees, lengths, cells, title=known.title, row_label=AXES["degree"][0], column_label="longest link L"
    )


def curves(known: Sweep, rows: Sequence[Row]) -> list[Series]:
    """For every K, or every L, and every layout: ours, the bound, the paper's; and the bounds apart."""
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
        lines += [line(name, own, known.picture, field, style) for style, field in fields.items()]
        if len(known.blocks) == 1 and quantity == "aspl":
            field, symbol = OWN_BOUNDS[by]
            lines.append(line(f"{symbol}({value})", own, known.picture, field, "bound"))
    if len(known.blocks) == 1 and quantity == "aspl":
        field, symbol = OWN_BOUNDS[known.picture]
        common = list({row[known.picture]: row for row in rows}.values())
        lines.append(line(f"{symbol}({AXES[known.picture][1]})", common, known.picture, field, "bound"))
    return [line for line in lines if len(line.x)]


def balance_lines(rows: Sequence[Row]) -> list[Series]:
    """The three bounds of well-balanced pairs against K, with the printed values as rings."""
    names = {"aspl_lower_bound": "A_m⁻(K)", "length_aspl_bound": "A_d⁻(L)", "layout_aspl_bound": "A⁻(K, L)"}
    lines = []
    for field, name in names.items():
        lines.append(line(name, rows, "degree", field, "computed"))
        lines.append(line(name, rows, "degree", f"published_{field}", "paper"))
    return lines


def draw_pairs(
    known: Sweep, rows: Sequence[Row], balanced: Callable[[Layout], list[tuple[int, int]]]
) -> Figure:
    """All well-balanced pairs of every layout, with the paper's examples as rings."""
    lines = []
    for kind, width, height in dict.fromkeys((row["layout"], row["width"], row["height"]) for row in rows):
        layout, name = Layout(kind, width, height), f"{kind} {width}x{height}"
        pairs = balanced(layout)
        lines.append(Series(name, [length for _, length in pairs], [degree for degree, _ in pairs]))
        own = [
            row for row in rows if row["layout"] == kind and (row["width"], row["height"]) == (width, height)
        ]
        lines.append(line(name, own, "length_limit", "degree", "paper"))
    return draw_curves(lines, x_label=AXES["length_limit"][0], y_label=AXES["degree"][0], title=known.title)


def line(name: str, rows: Sequence[Row], x: str, y: str, style: Style) -> Series:
    """One field of rows against another, by ascending x; rows without a value are left out."""
    points: list[tuple[Any, Any]] = sorted((row[x], row[y]) for row in rows if row.get(y) is not None)
    return Series(name, [point[0] for point in points], [point[1] for point in points], style)
