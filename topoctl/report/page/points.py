"""The scatter of a page: every network as a point, against any two numbers, and the front to point at."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.fields import sign
from topoctl.report.notes import name_of
from topoctl.report.page.axes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Axis, ticks
from topoctl.report.page.contents import Page, known
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.page.words import label, meaning
from topoctl.report.table import value_text

SHAPES = (
    *("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-4.5-4.5h9v9h-9z", "M0-6L5.5 4.5h-11z", "M0-6L6 0L0 6L-6 0z"),
    *("M0 6L5.5-4.5h-11z", "M-2-5.5h4v3.5h3.5v4H2v3.5h-4V2h-3.5v-4H-2z"),
)
COLORS = 7
"""Of families, named f0, f1, … in the style; where the colours come again, another shape."""


def points(page: Page) -> Markup:
    """The picture, the choice of its axes, and what is pointed at; nothing where no two numbers differ."""
    if len(page.quantities) < 2:
        return joined()
    rows = [page.rows[place] for place in page.shown]
    axes = [Axis.of(column, rows) for column in page.quantities]
    families = list(dict.fromkeys(str(row.get("family") or "–") for row in rows))
    picture = tag(
        "svg",
        tag("rect", x=LEFT, y=TOP, width=RIGHT - LEFT, height=BOTTOM - TOP, class_="frame"),
        *(ticks(axis, number, along_x=True) for number, axis in enumerate(axes)),
        *(ticks(axis, number, along_x=False) for number, axis in enumerate(axes)),
        tag("polyline", points="", id="line"),
        tag("g", *(point(page, place, axes, families) for place in in_layers(page)), id="points"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        id="scatter",
        role="group",
        aria_label="networks as points",
    )
    return tag(
        "section",
        tag("h2", "The front" if page.front else "Points"),
        tag("p", front_in_words(page), class_="note"),
        tag("p", *choices(axes), id="axes", hidden=True),
        tag("div", picture, class_="wide"),
        tag("p", "", id="pointed", class_="note", aria_live="polite"),
        legend(families),
    )


def front_in_words(page: Page) -> str:
    """What the front is of."""
    columns = [column for column in page.quantities if column.name in page.compared]
    named = ", ".join(
        f"{label(column)} ({'more' if sign(column.name) < 0 else 'less'} is better)" for column in columns
    )
    filled = f"Filled: no other of these is as good in all of {named}, and better in one. " if named else ""
    if any("pareto" in row for row in page.rows):
        filled = f"Filled: the Pareto front, by {named}, of the networks that are what was asked for. "
    return f"{filled}Line: the best {'of them ' if page.front else ''}by the two axes alone."


def choices(axes: Sequence[Axis]) -> list[Markup]:
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


def in_layers(page: Page) -> list[int]:
    """The places of the rows that are points: those of the front last, so that nothing covers them."""
    front = set(page.front)
    return sorted(page.shown, key=lambda place: place in front)


def point(page: Page, place: int, axes: Sequence[Axis], families: Sequence[str]) -> Markup:
    """A network; ``data-u`` has its places along all axes, from 0 to 1."""
    row, on_front = page.rows[place], place in page.front
    shares = [axis.at(row[axis.column.name]) if known(row, axis.column.name) else None for axis in axes]
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
        d=shape_of(family),
        class_=f"point f{family % COLORS}{' front' if on_front else ''}",
        transform=at,
        hidden=at is None,
        data_n=place,
        data_u=" ".join("-" if share is None else f"{share:.4f}" for share in shares),
        tabindex=0 if on_front else None,
        role="img" if on_front else None,
        aria_label=f"{name_of(row)}: {told}" if on_front else None,
    )


def shape_of(family: int) -> str:
    """The outline of a family's points, the families counted from 0."""
    return SHAPES[family % len(SHAPES)]


def legend(families: Sequence[str]) -> Markup:
    """Which family has which colour and shape."""
    entries = [
        tag(
            "li",
            tag(
                "svg",
                tag("path", d=shape_of(number), class_=f"point front f{number % COLORS}"),
                viewBox="-7 -7 14 14",
                class_="key",
                aria_hidden="true",
            ),
            family,
        )
        for number, family in enumerate(families)
    ]
    return tag("ul", *entries, class_="legend")
