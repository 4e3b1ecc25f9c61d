"""``topoctl bounds``."""

from __future__ import annotations

import rich_click as click
from click.core import ParameterSource

from topoctl.cli.lazy import LazyGroup
from topoctl.cli.options import HIDEABLE, Settings, request_options, shared_options_but
from topoctl.options.bounds import BoundsRequest
from topoctl.report.table import Table

TABLE = Table(
    (
        *("name", "layout", "width", "height", "order", "network_radix", "length_limit"),
        *("concentration", "router_radix", "endpoints", "load_lower_bound"),
        *("diameter_lower_bound", "aspl_lower_bound", "moore_order", "family_aspl_bound"),
        *("layout_diameter_bound", "layout_aspl_bound", "published_diameter", "published_aspl"),
    )
)

EXAMPLES = """Examples:
  topoctl bounds --n 2048 --k 28
  topoctl bounds --endpoints 5000 --router-radix 48     how to split the ports of the routers
  topoctl bounds                    every preset, beside its published network
  topoctl bounds grid --width 30 --height 30 --k 6 --l 6
  topoctl bounds hosts --hosts 1024 --router-radix 10
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
    from topoctl.runs.bounds import bounds_document

    if context.invoked_subcommand is not None:
        refuse_options(context)
        return
    settings.emit(bounds_document(BoundsRequest(**asked)), TABLE)


def refuse_options(context: click.Context) -> None:
    """Refuse options before a command's name, which it would not see."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            command = context.invoked_subcommand
            raise click.UsageError(f"{parameter.opts[0]} goes after {command}, as in: bounds {command} …")
