"""One number by two axes: a table whose fields are coloured, from light for the least to dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topoctl.report.plots.style import INK, styled, tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELL_WIDTH, CELL_HEIGHT = 0.68, 0.38
"""Inches."""
COLORS = "YlGnBu"
DARK = 0.55
"""Where, between the least number and the largest, numbers are written in white."""
LETTER = 0.085
"""Inches that a letter of a cell takes."""


@styled()
def draw_heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], tuple[float, str]],
    *,
    title: str = "",
    row_label: str = "",
    column_label: str = "",
) -> Figure:
    """Draw a table of numbers.

    Args:
        rows: headings, from the top.
        columns: headings, from the left.
        values: by row and column, the number and how it is written; a missing one stays empty.
        title: the figure's.
        row_label: what the rows are.
        column_label: what the columns are.

    Example:
        >>> figure = draw_heat_map(["3"], ["2", "4"], {("3", "2"): (5.5, "5.5"), ("3", "4"): (4.0, "4.0")})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['5.5', '4.0']
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    letters = max((len(text) for _, text in values.values()), default=1)
    width = max(CELL_WIDTH, LETTER * letters + 0.1)
    size = (max(4.0, len(columns) * width + 1.2), len(rows) * CELL_HEIGHT + 1.2)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    numbers = [number for number, _ in values.values()]
    least, most = min(numbers, default=0.0), max(numbers, default=0.0)
    for line, row in enumerate(rows):
        for place, column in enumerate(columns):
            if (row, column) not in values:
                continue
            number, text = values[row, column]
            share = (number - least) / (most - least) if most > least else 0.0
            color = mpl.colormaps[COLORS](0.08 + 0.82 * share)
            axes.add_patch(Rectangle((place, line), 1, 1, facecolor=color, edgecolor="white", linewidth=1.2))
            ink = "white" if share > DARK else INK
            axes.text(place + 0.5, line + 0.5, text, ha="center", va="center", color=ink)
    tabular(axes, rows, columns)
    axes.set(xlabel=column_label, ylabel=row_label)
    axes.set_title(title, pad=10)
    return figure
