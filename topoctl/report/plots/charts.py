"""Curves of numbers and their bounds (Nakano et al. 2016, Figs. 4, 5, 8 and 9), and bars side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from topoctl.errors import InvalidParameters
from topoctl.report.plots.style import INK, PALETTE, marker_of, set_title, styled, whole_numbers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Style = Literal["computed", "points", "bound", "paper"]

LOOKS: dict[Style, dict[str, Any]] = {
    "bound": {"linestyle": "--", "linewidth": 1.1},
    "paper": {"linestyle": "", "markersize": 8, "markerfacecolor": "none", "markeredgewidth": 1.1},
    "computed": {"linestyle": "-", "linewidth": 1.5, "markersize": 4.5},
    "points": {"linestyle": "", "markersize": 5.5},
}
"""In the order of drawing: the paper's points are rings round ours where the two agree."""

MEANINGS: dict[Style, str] = {
    "computed": "computed",
    "points": "computed",
    "bound": "lower bound",
    "paper": "the paper's",
}

SIZE = (7.0, 4.8)
THOUSANDS = 10_000
"""From here on thousands are marked."""


@dataclass(frozen=True)
class Series:
    """One line of a diagram.

    Attributes:
        name: what it belongs to, such as ``K = 3``; series of one name share a colour.
        x: length limits or degrees.
        y: diameters or ASPLs, one for every x; NaN leaves a gap.
        style: ``computed`` by us, the same as ``points`` without lines, a ``bound``, or from the ``paper``.

    Raises:
        InvalidParameters: another style, or not one y for every x.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    style: Style = "computed"

    def __post_init__(self) -> None:
        if self.style not in LOOKS:
            raise InvalidParameters(f"style {self.style!r}: expected {', '.join(LOOKS)}")
        if len(self.x) != len(self.y):
            raise InvalidParameters(
                f"{self.name}: {len(self.y)} values, expected {len(self.x)}, one for every x"
            )

    @classmethod
    def of_rows(
        cls, name: str, rows: Iterable[Mapping[str, Any]], x: str, y: str, style: Style = "computed"
    ) -> Series:
        """Return one field of rows against another, by ascending x; rows without a value are left out.

        Example:
            >>> Series.of_rows("a", [{"k": 4, "d": 3}, {"k": 3, "d": 5}, {"k": 2, "d": None}], "k", "d")
            Series(name='a', x=[3, 4], y=[5, 3], style='computed')
        """
        points = sorted((row[x], row[y]) for row in rows if row.get(y) is not None)
        return cls(name, [x for x, _ in points], [y for _, y in points], style)


@styled()
def draw_curves(
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    logarithmic: bool = False,
    bounds: str = "lower bound",
) -> Figure:
    """Draw series in one diagram: a colour and a marker for every name, a line for every style.

    Args:
        series: lines, each with as many y as x.
        x_label: such as ``longest link L``.
        y_label: such as ``ASPL``.
        title: the figure's.
        logarithmic: whether the vertical axis is.
        bounds: what the bounds are called.

    Example:
        >>> lines = [Series("K = 3", [2, 3], [29, 20]), Series("K = 3", [2, 3], [29, 20], "bound")]
        >>> len(draw_curves(lines, x_label="L", y_label="diameter").axes[0].lines)
        2
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    drawn: dict[str, set[Style]] = {}
    for line in series:
        drawn.setdefault(line.name, set()).add(line.style)
    names = list(drawn)
    for style, look in LOOKS.items():
        for line in series:
            if line.style == style:
                axes.plot(line.x, line.y, **_look(names.index(line.name), style), **look)
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.grid(visible=True)
    values = np.concatenate([np.asarray(line.y, dtype=np.float64) for line in series] or [np.empty(0)])
    places = np.concatenate([np.asarray(line.x, dtype=np.float64) for line in series] or [np.empty(0)])
    whole = bool((np.isnan(values) | (values == np.rint(values))).all())
    whole_numbers(axes, x=bool((places == np.rint(places)).all()), y=whole and not logarithmic)
    if logarithmic:
        axes.set_yscale("log")
    elif np.nanmax(values, initial=0) >= THOUSANDS:
        axes.yaxis.set_major_formatter("{x:,.0f}")
    if places.max(initial=0) >= THOUSANDS:
        axes.xaxis.set_major_formatter("{x:,.0f}")
    _draw_legends(figure, drawn, MEANINGS | {"bound": bounds})
    set_title(axes, title)
    return figure


def _look(index: int, style: Style) -> dict[str, Any]:
    """Return colour and marker of a name; a bound has no marker."""
    marker = "" if style == "bound" else marker_of(index)
    return {"color": PALETTE[index % len(PALETTE)], "marker": marker}


def _draw_legends(figure: Figure, drawn: Mapping[str, set[Style]], meanings: Mapping[Style, str]) -> None:
    """List the names right of the diagram, each in its foremost style; then the styles, if several.

    A single name, which the axis has, is left out where there are styles to list.
    """
    from matplotlib.lines import Line2D

    handles, there = [], set[Style]().union(*drawn.values())
    alone = len(there) > 1 and [name.casefold() for name in drawn] == [figure.axes[0].get_ylabel().casefold()]
    for index, (name, styles) in enumerate(drawn.items()):
        foremost = next(style for style in meanings if style in styles)
        if not alone:
            handles.append(Line2D([], [], label=name, **_look(index, foremost), **LOOKS[foremost]))
    for style, meaning in meanings.items():
        if style in there and len(there) > 1:
            look = _look(0, style) | ({} if alone else {"color": INK})
            handles.append(Line2D([], [], label=meaning, **look, **LOOKS[style]))
    figure.legend(handles=handles, loc="outside right upper")


@dataclass(frozen=True)
class Bar:
    """A bar of a diagram.

    Attributes:
        name: below it.
        value: its height.
        paper: the value that a paper prints; None where it prints none.
    """

    name: str
    value: float
    paper: float | None = None


@styled()
def draw_bars(bars: Sequence[Bar], *, y_label: str, title: str = "") -> Figure:
    """Draw bars, their values above them.

    Args:
        bars: from left to right.
        y_label: such as ``average hops``.
        title: the figure's.

    Example:
        >>> figure = draw_bars([Bar("Slim Fly", 1.91), Bar("FleX", 1.80)], y_label="hops")
        >>> len(figure.axes[0].patches)
        2
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(4.5, 1.0 + 0.85 * len(bars)), 4.0), layout="constrained")
    axes = figure.subplots()
    drawn = axes.bar([bar.name for bar in bars], [bar.value for bar in bars], color=PALETTE[0], width=0.6)
    large = max(bar.value for bar in bars) >= THOUSANDS
    axes.bar_label(drawn, [f"{bar.value:,.0f}" if large else f"{bar.value:.4g}" for bar in bars], padding=2)
    if large:
        axes.yaxis.set_major_formatter("{x:,.0f}")
    printed = [(place, bar.paper) for place, bar in enumerate(bars) if bar.paper is not None]
    if printed:
        places, values = zip(*printed, strict=True)
        axes.plot(
            places, values, linestyle="", marker="o", color=INK, markerfacecolor="none", label="the paper's"
        )
        figure.legend(loc="outside right upper")
    axes.set(ylabel=y_label)
    set_title(axes, title)
    axes.grid(visible=True, axis="y")
    return figure
