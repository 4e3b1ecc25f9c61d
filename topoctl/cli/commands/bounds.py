"""``topoctl bounds``."""

from __future__ import annotations

import rich_click as click
from click.core import ParameterSource

from topoctl.cli.lazy import LazyGroup
from topoctl.cli.options import HIDEABLE, Settings, shared_options_but
from topoctl.report.table import Table

TABLE = Table(
    (
        *("name", "layout", "width", "height", "order", "network_radix", "length_limit"),
        *("diameter_lower_bound", "aspl_lower_bound", "moore_order", "family_aspl_bound"),
        *("layout_diameter_bound", "layout_aspl_bound", "published_diameter", "published_aspl"),
    )
)

EXAMPLES = """Examples:
  topoctl bounds --n 2048 --k 28
  topoctl bounds                    every preset, beside its published network
  topoctl bounds grid --width 30 --height 30 --k 6 --l 6
  topoctl bounds --json --output bounds.csv"""


@click.group(
    cls=LazyGroup,
    words="bounds",
    invoke_without_command=True,
    epilog=EXAMPLES,
)
@click.option("--n", "order", type=click.IntRange(min=2, max=2**31 - 1), metavar="N", help="Routers.")
@click.option("--k", "network_radix", type=click.IntRange(min=1), metavar="K", help="Links per router.")
@shared_options_but(*HIDEABLE)
@click.pass_context
def bounds(context: click.Context, settings: Settings, order: int | None, network_radix: int | None) -> None:
    """Say how short paths can be at best: bounds on diameter and average distance.

    Moore's bounds hold for any graph; the Equality bound for networks of that family alone, the layout's for
    networks of limited links on a floor. Without options, the bounds of every preset beside its published
    network.
    """
    from topoctl.api.limits import bounds_of
    from topoctl.papers.presets import all_presets
    from topoctl.papers.presets import bounds_of as bounds_of_preset
    from topoctl.report.bound_rows import bounds_row
    from topoctl.report.document import document
    from topoctl.report.papers.preset_rows import preset_row

    if context.invoked_subcommand is not None:
        refuse_options(context)
        return
    if order is None and network_radix is None:
        rows = [preset_row(preset) | bounds_row(bounds_of_preset(preset)) for preset in all_presets()]
    elif order is None or network_radix is None:
        raise click.UsageError("--n and --k go together")
    else:
        rows = [bounds_row(bounds_of(order, network_radix))]
    parameters = {"order": order, "network_radix": network_radix}
    settings.emit(document("bounds", parameters, rows), TABLE)


def refuse_options(context: click.Context) -> None:
    """Refuse options before a command's name, which it would not see."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            command = context.invoked_subcommand
            raise click.UsageError(f"{parameter.opts[0]} goes after {command}, as in: bounds {command} …")
