"""What all pictures share: colours, type sizes, and independence of the user's matplotlib settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING

from topoctl.report.messages import legible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The colours of Okabe and Ito, which colour-blind people tell apart; without the yellow, faint on white."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK, FAINT = "#222222", "#8A8A8A"
LETTERS = 10
"""Of a title to the inch."""
APART = 0.1
"""Inches between a title and what is beside it."""
FACTOR = 10
"""From this factor between the least and the largest number on, an axis is logarithmic."""


def marker_of(number: int) -> str:
    """Return the marker of a line, counted from 0: where its colour comes again, another.

    Example:
        >>> len({(PALETTE[number % len(PALETTE)], marker_of(number)) for number in range(40)})
        40
    """
    return MARKERS[(number + number // len(PALETTE)) % len(MARKERS)]


SETTINGS = {
    "font.size": 9.0,
    "axes.titlesize": 11.0,
    "axes.labelsize": 9.0,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    # The same figure must give the same bytes: ids in an SVG come from this instead of a random number.
    "svg.hashsalt": "topoctl",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw or save a figure by matplotlib's defaults and SETTINGS instead of the user's settings."""
    import matplotlib as mpl
    import matplotlib.style

    with mpl.rc_context():
        matplotlib.style.use(["default", SETTINGS])
        yield


def set_title(axes: Axes, title: str, pad: float | None = None) -> None:
    """Write a title as it is, no formula, on as many lines as it takes.

    None reaches beyond the figure, nor into a legend right of the axes; labels and legends are there already.

    Args:
        axes: below it.
        title: the text.
        pad: points between both.
    """
    figure = axes.get_figure(root=True)
    letters = max(LETTERS, int(LETTERS * figure.get_figwidth())) if figure else len(title)
    crowded = figure and (figure.legends or len(title) > letters / 2)
    room = _room_above(axes, figure) if figure and title and crowded else None
    while True:
        lines = (legible(line, "utf-8") for line in wrap(title, letters))
        axes.set_title("\n".join(lines), pad=pad, parse_math=False)
        if room is None or letters <= LETTERS or axes.title.get_window_extent().width <= room:
            return
        letters -= 1


def _room_above(axes: Axes, figure: Figure) -> float:
    """Return how wide a title may be above the middle of the axes, in pixels, as the figure is laid out."""
    axes.set_title("")
    figure.draw_without_rendering()
    frame = axes.get_window_extent()
    legends = [legend.get_window_extent().x0 for legend in figure.legends]
    right = min([edge for edge in legends if edge >= frame.x1], default=figure.bbox.width)
    middle = (frame.x0 + frame.x1) / 2
    room: float = 2 * min(middle, right - figure.dpi * APART - middle)
    return room


def whole_numbers(axes: Axes, *, x: bool = False, y: bool = False) -> None:
    """Tick only whole numbers on an axis."""
    from matplotlib.ticker import MaxNLocator

    if x:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    if y:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))


def tabular(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Make axes a table of fields of side 1, its rows from the top, the headings of its columns above it."""
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    axes.set_xticks([place + 0.5 for place in range(len(columns))], columns)
    axes.set_yticks([line + 0.5 for line in range(len(rows))], rows)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.spines[:].set_visible(False)


def logarithmic(least: float, most: float) -> bool:
    """Tell whether numbers differ so much that equal steps of an axis are equal factors.

    Example:
        >>> logarithmic(1, 10), logarithmic(1, 11), logarithmic(0, 11)
        (False, True, False)
    """
    return least > 0 and most > FACTOR * least
