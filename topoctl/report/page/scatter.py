"""The scatter of a page: networks as points against any two numbers, and the front to point at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoctl.fields import Column, headline, in_words, sign
from topoctl.report.notes import name_of
from topoctl.report.page.contents import Page, has_number, meaning
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.plots.style import logarithmic
from topoctl.report.table import value_text
from topoctl.runs.document import Row

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 700, 40, 384
"""Where the axes are, in units of the picture."""
FAR = 9
"""Axes beyond an end: as much as any place is told to be."""
MOST_TOLD = 3
"""Numbers of a network that is pointed at."""
MOST_TICKS = 6
NEIGHBOURS = 0.5
"""How far an axis goes beyond the front, as a part of the front's own extent."""
ARROW = "M-8-5L5 0L-8 5L-5 0z"
"""In the place of a point that is beyond the right edge; turned for the others."""
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
    def of(cls, column: Column, rows: Sequence[Row], front: Sequence[Row] = ()) -> Axis:
        """The axis of all rows, with some room at both ends, or of a front and its neighbours.

        Args:
            column: of a number that some row has.
            rows: all that are drawn.
            front: those of them that must not be squeezed by the others.

        Example:
            >>> axis = Axis.of(Column("order", "N"), [{"order": 10}, {"order": 20}])
            >>> axis.low, axis.high, axis.at(15), axis.ticks()
            (9.5, 20.5, 0.5, [10.0, 12.0, 14.0, 16.0, 18.0, 20.0])
            >>> axis = Axis.of(Column("order", "N"), [{"order": n} for n in (10, 20, 900)], [{"order": 10}])
            >>> axis.high, axis.at(20) > 1
            (15.25, True)
        """
        values, kept = (
            [float(row[column.name]) for row in some if has_number(row, column.name)]
            for some in (rows, front)
        )
        low, high = min(kept or values), max(kept or values)
        by_factors = logarithmic(low, high)
        extent = high / low if by_factors else high - low or abs(high) or 1.0
        if kept:
            near = NEIGHBOURS
            ends = (
                (low / extent**near, high * extent**near)
                if by_factors
                else (low - near * extent, high + near * extent)
            )
            low, high = max(min(values), ends[0]), min(max(values), ends[1])
        if by_factors:
            return cls(column, low / (high / low) ** 0.05, high * (high / low) ** 0.05, True)
        room = (high - low or abs(high) or 1.0) * 0.05
        return cls(column, low - room, high + room, False)

    def at(self, value: float) -> float:
        """Where a number is: from 0 to 1, or beyond the ends."""
        if not self.logarithmic:
            return (value - self.low) / (self.high - self.low)
        return math.log(value / self.low) / math.log(self.high / self.low) if value > 0 else -math.inf

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
    front = [page.rows[place] for place in page.front]
    axes = [Axis.of(column, rows, front) for column in page.quantities]
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
        _legend(page, families),
    )


def _front_in_words(page: Page) -> str:
    """What the front is of."""
    columns = [column for column in page.quantities if column.name in page.compared]
    named = ", ".join(
        f"{in_words(column.name)} ({'more' if sign(column.name) < 0 else 'less'} is better)"
        for column in columns
    )
    filled = f"Filled: no other of these is as good in all of {named}, and better in one. " if named else ""
    if any("pareto" in row for row in page.rows):
        filled = f"Filled: the Pareto front, by {named}, of the networks that are what was asked for. "
    line = f"Line: the best {'of them ' if page.front else ''}by the two axes alone. "
    return f"{filled}{line}An arrow: a network beyond the edge, where it would squeeze the others."


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
                        headline(axis.column.name),
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
    """A network; ``data-u`` has its places along all axes, from 0 to 1, or beyond the edges."""
    row, on_front = page.rows[place], place in page.front
    shares = [_share(axis, row) for axis in axes]
    told = ", ".join(
        f"{in_words(axis.column.name)} {value_text(row.get(axis.column.name), axis.column)}"
        for axis in axes[:MOST_TOLD]
    )
    at, beyond = _placed(*shares[:2])
    family = families.index(str(row.get("family") or "–"))
    kinds = {"front": on_front, "chosen": place == page.recommended, "out": beyond}
    classes = ("point", f"f{family % COLORS}", *(name for name, holds in kinds.items() if holds))
    return tag(
        "g",
        tag("title", f"{name_of(row)}: {told}"),
        tag("path", d=_shape_of(family)),
        tag("path", d=ARROW, class_="arrow") if any(map(_is_beyond, shares)) else "",
        class_=" ".join(classes),
        transform=at,
        hidden=at is None,
        data_n=place,
        data_u=" ".join("-" if share is None else f"{share:.4f}" for share in shares),
        tabindex=0 if on_front else None,
        role="img" if on_front else None,
        aria_label=f"{name_of(row)}: {told}" if on_front else None,
    )


def _share(axis: Axis, row: Row) -> float | None:
    """Where a network is along an axis, or far beyond its end."""
    name = axis.column.name
    return min(max(axis.at(row[name]), -FAR), FAR) if has_number(row, name) else None


def _is_beyond(share: float | None) -> bool:
    """Tell whether a place along an axis is beyond its ends."""
    return share is not None and not 0 <= share <= 1


def _placed(x: float | None, y: float | None) -> tuple[str | None, bool]:
    """Where a point is drawn, if it is known, and whether that is an arrow at the edge."""
    if x is None or y is None:
        return None, False
    inside = [min(max(share, 0), 1) for share in (x, y)]
    place = f"{LEFT + inside[0] * (RIGHT - LEFT):.1f} {BOTTOM - inside[1] * (BOTTOM - TOP):.1f}"
    if inside == [x, y]:
        return f"translate({place})", False
    angle = math.degrees(math.atan2(inside[1] - y, x - inside[0]))
    return f"translate({place}) rotate({45 * round(angle / 45)})", True


def _shape_of(family: int) -> str:
    """The outline of a family's points, the families counted from 0."""
    return SHAPES[family % len(SHAPES)]


def _legend(page: Page, families: Sequence[str]) -> Markup:
    """Which family has which colour and shape, and what else there is."""
    entries = [
        _entry(tag("path", d=_shape_of(number)), f"point front f{number % COLORS}", family)
        for number, family in enumerate(families)
    ]
    if page.recommended is not None:
        entries.append(_entry(tag("circle", r=5), "point chosen", "recommended"))
    return tag("ul", *entries, class_="legend")


def _entry(shape: Markup, classes: str, text: str) -> Markup:
    """A shape and what it means."""
    picture = tag("g", shape, class_=classes)
    key = tag("svg", picture, viewBox="-7 -7 14 14", class_="key", aria_hidden="true")
    return tag("li", key, text)


def _ticks(axis: Axis, number: int, *, along_x: bool) -> Markup:
    """The lines, numbers and name of an axis; only the first along x and the second along y are shown."""
    parts = []
    for value in axis.ticks():
        share, text = axis.at(value), f"{value:,.10g}"
        if along_x:
            x = LEFT + share * (RIGHT - LEFT)
            parts.append(tag("path", d=f"M{x:.1f} {TOP}V{BOTTOM}"))
            parts.append(tag("text", text, x=f"{x:.1f}", y=BOTTOM + 20, class_="middle"))
        else:
            y = BOTTOM - share * (BOTTOM - TOP)
            parts.append(tag("path", d=f"M{LEFT} {y:.1f}H{RIGHT}"))
            parts.append(tag("text", text, x=LEFT - 8, y=f"{y + 4:.1f}", class_="end"))
    name = headline(axis.column.name) + (" (log)" if axis.logarithmic else "")
    if along_x:
        parts.append(tag("text", name, x=RIGHT, y=HEIGHT - 8, class_="end name"))
    else:
        parts.append(tag("text", f"↑ {name}", x=0, y=TOP - 16, class_="name"))
    axis_name = "x" if along_x else "y"
    return tag("g", *parts, class_=f"axis {axis_name}", data_q=number, hidden=number != (0 if along_x else 1))
