"""``topoctl design``."""

from __future__ import annotations

from typing import Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.cabinet_options import CabinetSizes
from topoctl.cli.floor_options import floor_options
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, cluster_option, shared_options
from topoctl.cli.result_files import result_files
from topoctl.report.columns import DESIGNED

EXAMPLES = """Examples:
  topoctl design slimfly cayley --endpoints 200 --router-radix 12 --evaluations 2000
  topoctl design --endpoints 5000 --router-radix 48
  topoctl design --endpoints 10000..11000 --router-radix ..48 --seconds 60 --output design.csv
  topoctl design --endpoints 10000..11000 --router-radix ..48 --report design.html
  topoctl design grid graph --endpoints 200 --router-radix 12 --floor racks42 --evaluations 1000
  topoctl design --endpoints 2000 --router-radix 36 --diameter 2 --throughput 1 --front cost,power
  topoctl design slimfly dragonfly graph --endpoints 5000 --router-radix 48 --prices edr --room 20x30
  topoctl export --run g1 --rank 2 -o second.edges    any network of a design in the study

RANGE is a..b, a.., ..b or a, which is the least number of endpoints, the most ports or hops. Networks with up
to 1.1 times as many endpoints are looked at, unless a..b says otherwise.
FAMILY is one of topoctl families, graph for networks of none, or grid for those on the grid of a floor (among
all only with --floor or --room); cayley, equality, graph and grid are searched.
A design is a group of runs in the study: topoctl runs resume gN goes on with it."""


def front_of(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...] | None:  # noqa: ARG001
    """Objectives separated by commas."""
    from topoctl.search.design.objectives import parse_front

    return None if value is None else parse_front(value)


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("families", nargs=-1, metavar="[FAMILY]…", shell_complete=completion.families_designed)
@click.option("--endpoints", metavar="RANGE", help="Endpoints that are needed.")
@click.option("--router-radix", metavar="RANGE", help="Ports per router.")
@click.option("--diameter", metavar="RANGE", help="Hops, at most.")
@click.option(
    "--throughput",
    "--theta",
    type=float,
    metavar="THETA",
    help="Uniform throughput, at least [default: 0.8].",
)
@click.option("--cost", type=float, metavar="DOLLARS", help="Dollars per endpoint, at most.")
@click.option("--power", type=float, metavar="WATTS", help="Watts per endpoint, at most.")
@click.option("--latency", type=float, metavar="NS", help="Average zero-load latency, at most.")
@click.option(
    "--bisection", type=float, metavar="SHARE", help="Proven bisection over half of the endpoints, at least."
)
@floor_options
@click.option("--room", type=CabinetSizes(), metavar="WxD", help="Metres that the racks may take.")
@click.option(
    "--front",
    callback=front_of,
    metavar="A,B,…",
    shell_complete=completion.listed(completion.objectives),
    help="What networks are compared by: cost, power, latency, throughput, routed, worst-case, bisection, "
    "resilience [default: cost,latency,throughput].",
)
@click.option("--seconds", type=float, metavar="S", help="Planned time of all searches [default: 20].")
@click.option(
    "--evaluations",
    type=int,
    metavar="E",
    help="Networks that each search scores instead; twice as many in each further round.",
)
@click.option("--seed", type=int, metavar="SEED", help="Of all draws [default: 1].")
@cluster_option
@result_files(*DESIGNED, "links", "router_radix")
@shared_options
def design(*, settings: Settings, families: tuple[str, ...], **given: Any) -> None:
    """Find which network to build: all families and searched networks, compared by cost, latency, throughput.

    The rows are the networks that no other is better than in every respect (the Pareto front), then the best
    of each family that is not among them, and why. Everything is measured; what bounds exclude is not.
    """
    from topoctl.cli.design_run import new_design
    from topoctl.runs.requests import design_request

    asked = {name: value for name, value in given.items() if value is not None}
    request, announcement = design_request({**asked, "families": families})
    if announcement:
        settings.say(announcement)
    new_design(request, settings)
