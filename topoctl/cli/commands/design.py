"""``topoctl design``."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, given_in, request_options, shared_options
from topoctl.cli.result_files import result_files
from topoctl.report.notes import design_notes
from topoctl.report.table import DESIGNED, Table
from topoctl.search.design.request import DesignRequest

DECIDING = ("rank", "pareto", "spec", "diameter", "endpoints", "own_throughput", "cost_per_endpoint")
TABLE = Table(DESIGNED, notes=design_notes, deciding=DECIDING)

EXAMPLES = """Examples:
  topoctl design slimfly cayley --endpoints 200 --router-radix 12 --evaluations 2000
  topoctl design --endpoints 5000 --router-radix 48
  topoctl design --endpoints 10000..11000 --router-radix ..48 --seconds 60 --output design.csv
  topoctl design --endpoints 10000..11000 --router-radix ..48 --report design.html
  topoctl design grid graph --endpoints 200 --router-radix 12 --floor racks42 --evaluations 1000
  topoctl design --endpoints 2000 --router-radix 36 --throughput ecmp:0.8
  topoctl design --endpoints 2000 --router-radix 36 --diameter 2 --throughput 1 --front cost,power
  topoctl design slimfly dragonfly graph --endpoints 5000 --router-radix 48 --prices edr --room 20x30
  topoctl design slimfly dragonfly graph --endpoints 5000 --router-radix 48 --sold 24,36,48 --tolerance 2
  topoctl design --endpoints 2000 --router-radix 64 --planes 2,4 --throughput 1.6
  topoctl design slimfly dragonfly torus --endpoints 200 --router-radix 12 --simulate --report design.html
  topoctl export --run g1 --rank 2 -o second.edges    any network of a design in the study

RANGE is a..b, a.., ..b or a. A single number is the least number of endpoints, or the most ports or hops.
Without an upper bound, networks have up to 1.1 times the endpoints needed.
FAMILY is one of topoctl families, or graph for networks of no family, or grid for networks on the grid of a
floor (unnamed, only with --floor or --room); cayley, equality, graph and grid are searched.
A design is a group of runs in the study: topoctl runs resume gN resumes it."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("families", nargs=-1, metavar="[FAMILY]…", shell_complete=completion.families_designed)
@request_options(DesignRequest)
@cluster_option
@result_files(*DESIGNED, "uniform_throughput", "links", "router_radix")
@shared_options
def design(*, settings: Settings, families: tuple[str, ...], **given: Any) -> None:
    """Find which network to build: all families and searched networks, compared by cost, latency, throughput.

    The first rows are the Pareto front: networks that no other network beats in every respect, best first by
    what --front names first. Then follows, for each other family, its network nearest to the request, and why
    it is not on the front. All rows are measured; networks that bounds rule out are left out.
    """
    from topoctl.cli.runs import report, session_of
    from topoctl.runs.design import design as run_new
    from topoctl.runs.requests import design_request

    request, announcement = design_request({**given_in(given), "families": families})
    if announcement:
        settings.say(announcement)
    with session_of(settings) as session:
        found = run_new(request, session)
        report(found, settings, TABLE, networks=[network.topology for network in found.networks])
