"""The floor plan of a page: racks to scale, and the cables above them by medium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from topoctl.floor.floor import MICROMETRES
from topoctl.report.notes import counted
from topoctl.report.page.contents import Standing
from topoctl.report.page.markup import Markup, joined, tag

if TYPE_CHECKING:
    from topoctl.floor.trays import Trays

MOST_RACKS = 600
"""Floors of more are told, not drawn."""
MARGIN = 0.4
"""Metres around the racks."""
SIDE = {"electrical": -1, "optical": 1}
"""On which side of the middle of a way the cables of a medium are drawn."""
RULES = (1, 2, 5, 10, 20, 50, 100)
"""Lengths of the scale, metres."""


def floor_plan(standing: Standing) -> Markup:
    """The plan, and the cables of every medium in words."""
    plan = standing.plan
    width, depth = plan.size
    words = (
        f"{counted(plan.racks, 'rack')} on {width:g} x {depth:g} m "
        f"(floor {plan.floor.name}, prices {standing.prices}). "
    )
    if plan.racks > MOST_RACKS:
        drawn, words = joined(), f"{words}Not drawn: more than {MOST_RACKS:,} racks."
    else:
        drawn = tag("div", _drawing(standing), class_="wide")
    return tag("div", tag("p", words, class_="note"), drawn, _cable_table(standing.trays), class_="ground")


def _cable_table(media: Sequence[Trays]) -> Markup:
    """How many cables of which medium, and how long they are."""
    rows = [
        tag(
            "tr",
            tag("th", tag("span", "", class_=f"swatch {one.medium}"), one.medium, scope="row"),
            *(
                tag("td", text, class_="number")
                for text in (
                    f"{one.cables:,}",
                    f"{one.inside:,}",
                    f"{one.metres:,.0f}",
                    f"{one.longest:.2f}",
                )
            ),
        )
        for one in media
    ]
    heads = ("cables", "count", "inside racks", "metres", "longest, m")
    head = tag("tr", *(tag("th", text, scope="col") for text in heads))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="wide")


def _drawing(standing: Standing) -> Markup:
    """Racks as rectangles, and between their middles a line for every stretch that has cables."""
    plan = standing.plan
    step = np.array(plan.floor.steps) / MICROMETRES
    size = np.array([plan.floor.rack_width, plan.floor.rack_depth])
    corners = (plan.places - plan.places.min(axis=0)) * step
    width, depth = (float(side) + 2 * MARGIN for side in plan.size)
    foot = 0.05 * max(width, depth)
    most = max(
        (int(counts.max(initial=0)) for one in standing.trays for counts in (one.along, one.across)),
        default=0,
    )
    lines = [stretch for one in standing.trays for stretch in _stretches(one, step, size, most or 1)]
    return tag(
        "svg",
        tag("g", *_racks(standing, corners, size)),
        tag("g", *lines),
        _scale(width, depth, foot),
        viewBox=f"{-MARGIN} {-MARGIN} {width:.3f} {depth + 2 * foot:.3f}",
        class_="floor",
        role="img",
        aria_label=f"floor plan of {plan.racks} racks",
    )


def _racks(standing: Standing, corners: NDArray[Any], size: NDArray[Any]) -> list[Markup]:
    """The racks, the fuller the darker."""
    plan = standing.plan
    routers = np.bincount(plan.rack_of, minlength=plan.racks)
    endpoints = np.bincount(plan.endpoint_racks, minlength=plan.racks)
    full = (routers + endpoints).max(initial=1)
    called = plan.rack_names()
    held: list[list[str]] = [[] for _ in called]
    for rack, name in zip(plan.rack_of.tolist(), standing.names or (), strict=False):
        held[rack].append(name)
    return [
        tag(
            "rect",
            tag(
                "title",
                f"{called[rack]}: {routers[rack]} routers, {endpoints[rack]} endpoints",
                f": {', '.join(held[rack])}" if held[rack] else "",
            ),
            x=f"{x:.3f}",
            y=f"{y:.3f}",
            width=f"{size[0]:.3f}",
            height=f"{size[1]:.3f}",
            fill_opacity=f"{0.1 + 0.4 * (routers[rack] + endpoints[rack]) / full:.2f}",
            class_="rack",
        )
        for rack, (x, y) in enumerate(corners.tolist())
    ]


def _stretches(one: Trays, step: NDArray[Any], size: NDArray[Any], most: int) -> list[Markup]:
    """The lines of one medium, as wide as they have cables: a third of a rack for the most of any."""
    thickest = float(size.min()) / 3
    found = []
    for counts, dx, dy in ((one.along, 1, 0), (one.across, 0, 1)):
        for row, column in np.argwhere(counts).tolist():
            count = int(counts[row, column])
            thick = thickest * max(0.04, count / most)
            aside = SIDE[one.medium] * thick / 2
            x, y = np.array([column, row]) * step + size / 2 + np.array([dy, dx]) * aside
            end = f"H{x + step[0]:.3f}" if dx else f"V{y + step[1]:.3f}"
            found.append(
                tag(
                    "path",
                    tag("title", f"{count:,} {one.medium}"),
                    d=f"M{x:.3f} {y:.3f}{end}",
                    stroke_width=f"{thick:.3f}",
                    class_=f"way {one.medium}",
                )
            )
    return found


def _scale(width: float, depth: float, foot: float) -> Markup:
    """A rule of round length below the plan."""
    length = max((metres for metres in RULES if metres <= width / 2), default=RULES[0])
    y = depth - MARGIN + foot / 2
    return joined(
        tag("path", d=f"M0 {y - foot / 4:.3f}V{y:.3f}H{length}V{y - foot / 4:.3f}", class_="scale"),
        tag("text", f"{length} m", x=f"{length + foot / 3:.3f}", y=f"{y:.3f}", font_size=f"{foot * 0.7:.3f}"),
    )
