"""``topoctl bounds hosts``."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, given_in, request_options, shared_options_but
from topoctl.options.bounds import HostBoundsRequest
from topoctl.report.table import Table

COLUMNS = (
    *("hosts", "router_radix", "host_diameter_lower_bound", "host_aspl_lower_bound", "even_order"),
    "even_host_aspl_bound",
)
TABLE = Table(COLUMNS)

EXAMPLES = """Examples:
  topoctl bounds hosts                                     1024 hosts on routers of 10 ports
  topoctl bounds hosts --hosts 128 --router-radix 24"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(HostBoundsRequest)
@shared_options_but("study", "no_study", "workers")
def bounds_hosts(*, settings: Settings, **asked: Any) -> None:
    """Compute how near hosts can be to each other where the number of routers is free.

    The first two bounds hold for every network of so many hosts on routers of so many ports. The last one,
    the continuous Moore bound, holds where all routers have as many hosts: others may be below it.
    """
    from topoctl.runs.bounds import host_bounds_document

    settings.emit(host_bounds_document(HostBoundsRequest(**given_in(asked))), TABLE)
