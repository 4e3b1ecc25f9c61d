"""``topoctl bounds grid``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, request_options, shared_options_but
from topoctl.measuring_requests import LayoutBoundsRequest
from topoctl.report.table import Table, draw_with_levels

if TYPE_CHECKING:
    from topoctl.cable_limit import LengthLimit
    from topoctl.layout import Kind, Layout

COLUMNS = (
    *("layout", "width", "height", "order", "network_radix", "length_limit", "length_limit_m"),
    *("aspl_lower_bound", "length_aspl_bound", "layout_diameter_bound", "layout_aspl_bound"),
    *("mean_length", "longest_length", "well_balanced", "recommended"),
)
TABLE = Table(COLUMNS, draw=draw_with_levels)

EXAMPLES = """Examples:
  topoctl bounds grid                                     the paper's 10x10, k' 4, L 3
  topoctl bounds grid --width 30 --height 30 --k 6 --l 6
  topoctl bounds grid --layout diagrid --width 7 --height 14 --k 4 --l 3 --levels
  topoctl bounds grid --width 30 --height 30 --k 6 --l 7.5m --cabinet 0.6x2.1
  topoctl bounds grid --width 30 --height 30 --balanced --diameter 8"""

BARE_SIZE: dict[str, tuple[int, int]] = {"grid": (10, 10), "diagrid": (7, 14)}
BARE_LINKS = (4, 3)
DEGREES = range(3, 17)
"""Where well-balanced pairs are looked for, as in the paper's tables."""
MOST_ROUTERS = 10**8


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(LayoutBoundsRequest)
@shared_options_but("study", "no_study", "workers")
def bounds_grid(
    *,
    settings: Settings,
    **asked: Any,
) -> None:
    """Compute how short paths can be on a floor where links are few and short.

    The bounds hold for every graph whose routers stand in W columns and H rows, with at most k' links each
    and none longer than L (Nakano et al. 2016): by the degree alone, by the length alone, and by both
    together.
    """
    from topoctl.cable_limit import CableLimit
    from topoctl.runs.bound_rows import length_fields
    from topoctl.runs.document import document
    from topoctl.runs.lengths import OVERHEAD, limit_of, usual_cabinets

    request = LayoutBoundsRequest(**{name: value for name, value in asked.items() if value is not None})
    kind, cabinet, overhead = request.layout, request.cabinet, request.overhead
    if request.balanced:
        if (request.network_radix, request.length_limit, cabinet, overhead) != (None,) * 4 or request.levels:
            raise click.UsageError(
                "--balanced looks for k' and L: it goes without --k, --l, --cabinet, --overhead and --levels"
            )
        layout = sized_layout(kind, request.width, request.height)
        rows = balanced_rows(layout, request.diameter)
        own: dict[str, Any] = {"balanced": True, "degrees": [DEGREES[0], DEGREES[-1]]}
        own["diameter"] = request.diameter
    else:
        if request.diameter is not None:
            raise click.UsageError("--diameter goes with --balanced")
        given = (request.width, request.height, request.network_radix, request.length_limit)
        width, height, network_radix, length_limit = (
            announced(kind, settings) if given == (None,) * 4 else given
        )
        layout = sized_layout(kind, width, height)
        limit = None if length_limit is None else limit_of(length_limit, cabinet, overhead)
        if isinstance(limit, CableLimit) and cabinet is None:
            settings.say(usual_cabinets(OVERHEAD if overhead is None else overhead))
        rows = [pair_row(layout, network_radix, limit, levels=request.levels)]
        own = {"network_radix": network_radix, **length_fields(limit), "levels": request.levels}
        if isinstance(limit, CableLimit):
            own |= {"cabinet": limit.cabinet, "overhead": limit.overhead}
    parameters = {"layout": kind, "width": layout.width, "height": layout.height, **own}
    settings.emit(document("bounds grid", parameters, rows), TABLE)


def announced(kind: str, settings: Settings) -> tuple[int, int, int, int]:
    """The paper's example of a layout, for a command without sizes; said on standard error."""
    (width, height), (network_radix, length_limit) = BARE_SIZE[kind], BARE_LINKS
    settings.say(
        f"no --width, --height, --k and --l: bounds of the paper's {kind} {width}x{height}, "
        f"k' {network_radix}, L {length_limit}"
    )
    return width, height, network_radix, length_limit


def sized_layout(kind: Kind, width: int | None, height: int | None) -> Layout:
    """The layout, where its size is given and can be handled."""
    from topoctl.errors import InvalidParameters
    from topoctl.layout import Layout

    if width is None or height is None:
        raise click.UsageError(f"--{'width' if width is None else 'height'} is missing")
    if not 2 <= width * height <= MOST_ROUTERS:
        raise InvalidParameters(
            f"{kind} {width}x{height}: {width * height} routers, expected 2..{MOST_ROUTERS}"
        )
    return Layout(kind, width, height)


def pair_row(
    layout: Layout, network_radix: int | None, length_limit: LengthLimit | None, *, levels: bool
) -> Any:
    """The bounds of one K and one L."""
    from topoctl.analysis.known_bounds import known_layout_bounds
    from topoctl.analysis.layout_bounds import levels as levels_of
    from topoctl.errors import InvalidParameters
    from topoctl.runs.bound_rows import layout_bounds_row, level_rows

    if network_radix is None or length_limit is None:
        raise click.UsageError(
            f"--{'k' if network_radix is None else 'l'} is missing; --k and --l go together"
        )
    if network_radix >= layout.order:
        raise InvalidParameters(
            f"--k {network_radix}: expected at most {layout.order - 1} links for {layout.order} routers"
        )
    row = layout_bounds_row(known_layout_bounds(layout, network_radix, length_limit))
    if levels:
        row["levels"] = level_rows(levels_of(layout, network_radix, length_limit))
    return row


def balanced_rows(layout: Layout, diameter: int | None) -> list[Any]:
    """The well-balanced pairs, and the least pair for a diameter, by ascending K and L."""
    from topoctl.analysis.known_bounds import known_layout_bounds
    from topoctl.analysis.layout_choice import recommend, well_balanced
    from topoctl.errors import Infeasible
    from topoctl.runs.bound_rows import layout_bounds_row

    balanced = well_balanced(layout, DEGREES, range(1, layout.longest + 1))
    recommended = [] if diameter is None else [recommend(layout, diameter)]
    pairs = sorted({*balanced, *recommended})
    if not pairs:
        raise Infeasible(f"{layout}: no well-balanced pair with k' {DEGREES[0]}..{DEGREES[-1]}")
    rows = []
    for pair in pairs:
        row = layout_bounds_row(known_layout_bounds(layout, *pair)) | {"well_balanced": pair in balanced}
        if diameter is not None:
            row["recommended"] = pair in recommended
        rows.append(row)
    return rows
