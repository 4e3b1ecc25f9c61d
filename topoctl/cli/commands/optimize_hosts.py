"""``topoctl optimize hosts``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, graph_option, request_options, shared_options
from topoctl.cli.runs import SearchCommand, hosts_trace, search_and_report
from topoctl.report.notes import host_notes
from topoctl.report.table import Table
from topoctl.search.hosts.request import HostsRequest

COMMAND = "optimize hosts"

COLUMNS = (
    *("rank", "file", "order", "router_radix", "symmetry", "host_diameter", "host_aspl"),
    *("host_diameter_lower_bound", "host_aspl_lower_bound", "even_host_aspl_bound"),
)
SEARCH = SearchCommand(Table(COLUMNS, host_notes), trace=hosts_trace)

EXAMPLES = """Examples:
  topoctl optimize hosts                       ten seconds on 1024 hosts and routers of 10 ports
  topoctl optimize hosts --hosts 128 --router-radix 24 --graph best.orp
  topoctl optimize hosts --hosts 432 --router-radix 12 --n 96 --seconds 60
  topoctl optimize hosts --hosts 1024 --router-radix 10 --symmetry 4
  topoctl optimize hosts --start best.orp --seconds 60

Ctrl-C keeps the best so far; `topoctl runs resume ID` resumes as if never interrupted."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@request_options(HostsRequest)
@graph_option
@cluster_option
@shared_options
def optimize_hosts(settings: Settings, graph: Path | None, **options: Any) -> None:
    """Find networks of so many hosts that have the least diameter and average distance between hosts.

    The order/radix problem of Graph Golf: every host has one link to a router of so many ports, and the
    number of routers is free. Simulated annealing exchanges links and moves hosts, while numbers of routers
    race. Without --hosts and --router-radix: 1024 hosts, 10 ports, 10 s.
    """
    search_and_report(COMMAND, settings, graph, options)
