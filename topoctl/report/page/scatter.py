"""The scatter of a page: networks as points against any two numbers, and the front to point at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoctl.fields import Column, sign
from topoctl.report.notes import name_of
from topoctl.report.page.contents import Page, has_number, label, meaning
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.plots.style import logarithmic
from topoctl.report.table import value_text
from topoctl.runs.document import Row

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 700, 16, 392
"""Where the axes are, in units of the picture."""
MOST_TICKS = 6
SHAPES = (
    *("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.5-4.5h9v9h-9z", "M0-6L5.5 4.5h-11z", "M0-6L6 0L0 6L-6 0z"),
    *("M0 6L5.5-4.5h-11z", "M-2-5.5h4v3.5h3.5v4H2v3.5h-4V2h-3.5v-4H-2z"),
)
COLORS = 7
"""Of families, named f0, f1, … in the style; where the colours come again, another shape."""


@dataclass(frozen=True)
class Axis:
    """A number along an axis.

    Attributes:
        column: of the number.
        low, high: the ends.
        logarithmic: whether equal steps are equal factors.
    """

    column: Column
    low: float
    high: float
    logarithmic: bool

    @classmethod
    def of(cls, column: Column, rows: Sequence[Row]) -> Axis:
        """The axis that all rows fit on, with some room at both ends.

        Example:
            >>> axis = Axis.of(Column("order", "N"), [{"order": 10}, {"order": 20}])
            >>> axis.low, axis.high, axis.at(15), axis.ticks()
            (9.5, 20.5, 0.5, [10.0, 12.0, 14.0, 16.0, 18.0, 20.0])
        """
        values = [float(row[column.name]) for row in rows if has_number(row, column.name)]
        low, high = min(values), max(values)
        if logarithmic(low, high):
            return cls(column, low / (high / low) ** 0.05, high * (high / low) ** 0.05, True)
        room = (high - low or abs(high) or 1.0) * 0.05
        return cls(column, low - room, high + room, False)

    def at(self, value: float) -> float:
        """Where a number is, from 0 to 1."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Round numbers between the ends, a few."""
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)))
            steps = (1, 2, 5) if len(powers) <= 2 else (1,)
            round_ones = [step * 10.0**power for power in powers for step in steps]
            return [value for value in round_ones if self.low <= value <= self.high]
        least = (self.high - self.low) / MOST_TICKS
        decade = 10.0 ** math.floor(math.log10(least))
        step = next(step * decade for step in (1, 2, 5, 10) if step * decade >= least)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def scatter(page: Page) -> Markup:
    """The picture, the choice of its axes, and what is pointed at; nothing where no two numbers differ."""
    if len(page.quantities) < 2:
        return joined()
    rows = [page.rows[place] for place in page.shown]
    axes = [Axis.of(column, rows) for column in page.quantities]
    families = list(dict.fromkeys(str(row.get("family") or "–") for row in rows))
    picture = tag(
        "svg",
        tag("rect", x=LEFT, y=TOP, width=RIGHT - LEFT, height=BOTTOM - TOP, class_="frame"),
        *(_ticks(axis, number, along_x=True) for number, axis in enumerate(axes)),
        *(_ticks(axis, number, along_x=False) for number, axis in enumerate(axes)),
        tag("polyline", points="", id="line"),
        tag("g", *(_point(page, place, axes, families) for place in _front_last(page)), id="points"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        id="scatter",
        role="group",
        aria_label="networks as points",
    )
    return tag(
        "section",
        tag("h2", "The front" if page.front else "Points"),
        tag("p", _front_in_words(page), class_="note"),
        tag("p", *_axis_choices(axes), id="axes", hidden=True),
        tag("div", picture, class_="wide"),
        tag("p", "", id="pointed", class_="note", aria_live="polite"),
        _legend(families),
    )


def _front_in_words(page: Page) -> str:
    """What the front is of."""
    columns = [column for column in page.quantities if column.name in page.compared]
    named = ", ".join(
        f"{label(column)} ({'more' if sign(column.name) < 0 else 'less'} is better)" for column in columns
    )
    filled = f"Filled: no other of these is as good in all of {named}, and better in one. " if named else ""
    if any("pareto" in row for row in page.rows):
        filled = f"Filled: the Pareto front, by {named}, of the networks that are what was asked for. "
    return f"{filled}Line: the best {'of them ' if page.front else ''}by the two axes alone."


def _axis_choices(axes: Sequence[Axis]) -> list[Markup]:
    """Two lists of numbers, one for either axis."""
    return [
        tag(
            "label",
            f"{word} ",
            tag(
                "select",
                *(
                    tag(
                        "option",
                        label(axis.column),
                        value=number,
                        selected=number == chosen,
                        data_sign=sign(axis.column.name),
                        title=meaning(axis.column.name) or None,
                    )
                    for number, axis in enumerate(axes)
                ),
                id=name,
            ),
        )
        for chosen, (name, word) in enumerate((("x", "across"), ("y", "up")))
    ]


def _front_last(page: Page) -> list[int]:
    """The places of the rows that are points: those of the front last, so that nothing covers them."""
    front = set(page.front)
    return sorted(page.shown, key=lambda place: place in front)


def _point(page: Page, place: int, axes: Sequence[Axis], families: Sequence[str]) -> Markup:
    """A network; ``data-u`` has its places along all axes, from 0 to 1."""
    row, on_front = page.rows[place], place in page.front
    shares = [axis.at(row[axis.column.name]) if has_number(row, axis.column.name) else None for axis in axes]
    x, y = shares[:2]
    told = ", ".join(
        f"{label(axis.column)} {value_text(row.get(axis.column.name), axis.column)}" for axis in axes[:3]
    )
    at = None
    if x is not None and y is not None:
        at = f"translate({LEFT + x * (RIGHT - LEFT):.1f} {BOTTOM - y * (BOTTOM - TOP):.1f})"
    family = families.index(str(row.get("family") or "–"))
    return tag(
        "path",
        tag("title", f"{name_of(row)}: {told}"),
        d=_shape_of(family),
        class_=f"point f{family % COLORS}{' front' if on_front else ''}",
        transform=at,
        hidden=at is None,
        data_n=place,
        data_u=" ".join("-" if share is None else f"{share:.4f}" for share in shares),
        tabindex=0 if on_front else None,
        role="img" if on_front else None,
        aria_label=f"{name_of(row)}: {told}" if on_front else None,
    )


def _shape_of(family: int) -> str:
    """The outline of a family's points, the families counted from 0."""
    return SHAPES[family % len(SHAPES)]


def _legend(families: Sequence[str]) -> Markup:
    """Which family has which colour and shape."""
    entries = [
        tag(
            "li",
            tag(
                "svg",
                tag("path", d=_shape_of(number), class_=f"point front f{number % COLORS}"),
                viewBox="-7 -7 14 14",
                class_="key",
                aria_hidden="true",
            ),
            family,
        )
        for number, family in enumerate(families)
    ]
    return tag("ul", *entries, class_="legend")


def _ticks(axis: Axis, number: int, *, along_x: bool) -> Markup:
    """The lines, numbers and name of an axis; only the first along x and the second along y are shown."""
    parts = []
    for value in axis.ticks():
        share, text = axis.at(value), f"{value:,.10g}"
        if along_x:
            x = LEFT + share * (RIGHT - LEFT)
            parts.append(tag("path", d=f"M{x:.1f} {TOP}V{BOTTOM}"))
            parts.append(tag("text", text, x=f"{x:.1f}", y=BOTTOM + 18, class_="middle"))
        else:
            y = BOTTOM - share * (BOTTOM - TOP)
            parts.append(tag("path", d=f"M{LEFT} {y:.1f}H{RIGHT}"))
            parts.append(tag("text", text, x=LEFT - 8, y=f"{y + 4:.1f}", class_="end"))
    name = label(axis.column) + (" (log)" if axis.logarithmic else "")
    if along_x:
        parts.append(tag("text", name, x=(LEFT + RIGHT) // 2, y=HEIGHT - 8, class_="middle name"))
    else:
        middle = (TOP + BOTTOM) // 2
        parts.append(
            tag("text", name, x=16, y=middle, class_="middle name", transform=f"rotate(-90 16 {middle})")
        )
    axis_name = "x" if along_x else "y"
    return tag("g", *parts, class_=f"axis {axis_name}", data_q=number, hidden=number != (0 if along_x else 1))
