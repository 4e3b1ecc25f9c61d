"""Tables in colours: one number by two axes, and diameters by degree and length limit beside a paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topoctl.papers.sweep_cells import ComparedDiameter, Outcome
from topoctl.report.plots.style import FAINT, INK, set_title, styled, tabular

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL_WIDTH, CELL_HEIGHT = 0.68, 0.38
"""Inches."""
COLORS = "YlGnBu"
DARK = 0.55
"""Where, between the least number and the largest, numbers are written in white."""
LETTER = 0.085
"""Inches that a letter of a cell or of a heading takes."""


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
    beside = 0.5 + max(0.7, LETTER * max(map(len, rows), default=0))
    size = (max(4.0, len(columns) * width + beside), len(rows) * CELL_HEIGHT + 1.2)
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
    set_title(axes, title, pad=10)
    return figure


OUTCOMES: dict[Outcome, tuple[str, str]] = {
    "optimal": ("#9FD8C4", "equals the lower bound"),
    "beats": ("#8CC6EC", "below the paper's"),
    "equals": ("#E8E8E8", "equals the paper's"),
    "misses": ("#F2B28C", "above the paper's"),
    "alone": ("#FFFFFF", "not compared"),
}
"""Colour and meaning: tints of colours that colour-blind people tell apart."""

DIAMETER_WIDTH, DIAMETER_HEIGHT = 0.62, 0.5
"""Inches."""


@styled()
def draw_diameter_table(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], ComparedDiameter],
    *,
    title: str = "",
    row_label: str = "",
    column_label: str = "",
) -> Figure:
    """Draw our diameters large, the paper's and the bounds small below them (Nakano et al. 2016, Table II).

    Args:
        rows: headings, from the top.
        columns: headings, from the left.
        cells: by row and column; a missing one stays empty.
        title: the figure's.
        row_label: what the rows are, such as ``degree K``.
        column_label: what the columns are, such as ``longest link L``.

    Example:
        >>> cells = {("3", "2"): ComparedDiameter(29, 29, 29), ("3", "3"): ComparedDiameter(20, 20, 20)}
        >>> len(draw_diameter_table(["3"], ["2", "3"], cells).axes[0].patches)
        2
    """
    from matplotlib.figure import Figure

    size = (len(columns) * DIAMETER_WIDTH + 1.2, len(rows) * DIAMETER_HEIGHT + 1.7)
    figure = Figure(figsize=(max(size[0], 5.0), size[1]), layout="constrained")
    axes = figure.subplots()
    for line, row in enumerate(rows):
        for place, column in enumerate(columns):
            if (row, column) in cells:
                _draw_cell(axes, place, line, cells[row, column])
    tabular(axes, rows, columns)
    axes.set(xlabel=column_label, ylabel=row_label)
    set_title(axes, title, pad=10)
    _draw_legend(figure, [cell.outcome for cell in cells.values()])
    return figure


def _draw_cell(axes: Axes, place: int, line: int, cell: ComparedDiameter) -> None:
    """Draw a coloured field and its numbers; bold where ours is below the paper's."""
    from matplotlib.patches import Rectangle

    color, _ = OUTCOMES[cell.outcome]
    axes.add_patch(Rectangle((place, line), 1, 1, facecolor=color, edgecolor="white", linewidth=1.5))
    better = cell.computed is not None and cell.paper is not None and cell.computed < cell.paper
    number = "–" if cell.computed is None else str(cell.computed)
    weight = "bold" if better else "normal"
    axes.text(place + 0.5, line + 0.38, number, ha="center", va="center", fontsize=12, fontweight=weight)
    others = [cell.paper, cell.bound]
    text = " · ".join("–" if other is None else str(other) for other in others)
    axes.text(place + 0.5, line + 0.78, text, ha="center", va="center", fontsize=6.5, color="#555555")


def _draw_legend(figure: Figure, outcomes: Sequence[Outcome]) -> None:
    """Explain below the table the colours that occur, and what the small numbers are."""
    from matplotlib.patches import Patch

    handles = [
        Patch(facecolor=color, edgecolor=FAINT, linewidth=0.5, label=meaning)
        for outcome, (color, meaning) in OUTCOMES.items()
        if outcome in outcomes
    ]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=max(min(len(handles), int(figure.get_figwidth() / 1.9)), 1),
        title="large: D+ computed (bold: below the paper's); small: the paper's D+ · lower bound D-",
        title_fontsize=8,
        labelcolor=INK,
    )
