"""``topoctl bounds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click
from click.core import ParameterSource

from topoctl.cli.lazy import LazyGroup
from topoctl.cli.options import HIDEABLE, Settings, request_options, shared_options_but
from topoctl.measuring_requests import BoundsRequest
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.runs.document import Row

TABLE = Table(
    (
        *("name", "layout", "width", "height", "order", "network_radix", "length_limit"),
        *("concentration", "router_radix", "endpoints", "load_lower_bound"),
        *("diameter_lower_bound", "aspl_lower_bound", "moore_order", "family_aspl_bound"),
        *("layout_diameter_bound", "layout_aspl_bound", "published_diameter", "published_aspl"),
    )
)

WHAT_DESCRIBES = (
    "--n and --k go together, or --endpoints and --router-radix; "
    "with --p, one of them follows from the others"
)

EXAMPLES = """Examples:
  topoctl bounds --n 2048 --k 28
  topoctl bounds --endpoints 5000 --router-radix 48     how to split the ports of the routers
  topoctl bounds                    every preset, beside its published network
  topoctl bounds grid --width 30 --height 30 --k 6 --l 6
  topoctl bounds --json --output bounds.csv"""


@click.group(
    cls=LazyGroup,
    words="bounds",
    invoke_without_command=True,
    epilog=EXAMPLES,
)
@request_options(BoundsRequest)
@shared_options_but(*HIDEABLE)
@click.pass_context
def bounds(context: click.Context, /, settings: Settings, **asked: int | None) -> None:
    """Compute how short paths can be at best: bounds on diameter and average distance.

    Moore's bounds hold for any graph, the Equality bound for Equality networks only, the layout's bound for
    networks of limited links on a floor. Without options, print the bounds of every preset beside its
    published network.
    """
    from topoctl.papers.presets import all_presets
    from topoctl.papers.presets import bounds_of as bounds_of_preset
    from topoctl.runs.bound_rows import bounds_row
    from topoctl.runs.document import document
    from topoctl.runs.listed_rows import preset_row

    if context.invoked_subcommand is not None:
        refuse_options(context)
        return
    if any(value is not None for value in asked.values()):
        rows = rows_asked(**asked)
    else:
        rows = [preset_row(preset) | bounds_row(bounds_of_preset(preset)) for preset in all_presets()]
    settings.emit(document("bounds", dict(asked), rows), TABLE)


def rows_asked(
    order: int | None,
    network_radix: int | None,
    concentration: int | None,
    router_radix: int | None,
    endpoints: int | None,
) -> list[Row]:
    """The bounds of the network that the options describe, or of every split of its ports."""
    from topoctl.analysis.port_splits import PortSplit, sensible_splits
    from topoctl.api.limits import bounds_of
    from topoctl.runs.bound_rows import bounds_row, split_row

    if endpoints and router_radix and not (order or network_radix or concentration):
        splits = sensible_splits(endpoints, router_radix)
        known = [bounds_of(one.order, one.network_radix) for one in splits]
        return [split_row(*pair, router_radix) for pair in zip(known, splits, strict=True)]
    if concentration is None and router_radix and network_radix:
        concentration = router_radix - network_radix
    if concentration is None and endpoints and order:
        concentration = -(-endpoints // order)
    if network_radix is None and router_radix and concentration:
        network_radix = router_radix - concentration
    if order is None and endpoints and concentration and concentration > 0:
        order = -(-endpoints // concentration)
    if order is None or network_radix is None:
        raise click.UsageError(WHAT_DESCRIBES)
    found = bounds_of(order, network_radix)
    if concentration is None:
        return [bounds_row(found)]
    ports = router_radix or network_radix + concentration
    if concentration < 1 or network_radix + concentration > ports:
        raise click.UsageError(
            f"{network_radix} links and {concentration} endpoints do not share {ports} ports"
        )
    if endpoints and order * concentration < endpoints:
        raise click.UsageError(
            f"{order} routers with {concentration} endpoints each have fewer than {endpoints}"
        )
    return [split_row(found, PortSplit(order, network_radix, concentration), ports)]


def refuse_options(context: click.Context) -> None:
    """Refuse options before a command's name, which it would not see."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            command = context.invoked_subcommand
            raise click.UsageError(f"{parameter.opts[0]} goes after {command}, as in: bounds {command} …")
