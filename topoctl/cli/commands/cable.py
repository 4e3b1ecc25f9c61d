"""``topoctl cable``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.chosen_network import ChosenNetwork, one_network
from topoctl.cli.floor_options import (
    Lengths,
    floor_given,
    floor_options,
    rack_options,
)
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, shared_options_but
from topoctl.files import is_special, require_folder
from topoctl.report.columns import CABLED
from topoctl.report.notes import stock_notes
from topoctl.report.table import Table

TABLE = Table(("spec", "file", "order", "links", "endpoints", *CABLED), stock_notes)

EXAMPLES = """Examples:
  topoctl cable 'slimfly(q=5,p=4)' -o cables.csv
  topoctl cable 'dragonfly(p=4,a=8,h=4)' --endpoints -o cables.csv
  topoctl cable network.edges --p 4 --floor slimfly2014 --routers-per-rack 20
  topoctl cable 'flex(nx=6,ny=6,nz=3)' --rack 0.8x1.2 --aisle 1.5 --room 12x20 --stock 1,2,3,5,10,15,20
  topoctl cable --run 1 -o cables.csv

What floors and prices there are: docs/how-to/cabling.md"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@click.option(
    "--cables",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.csv",
    help="Write the list of all cables: rack, unit and port at both ends, medium, length, length to buy.",
)
@click.option("--endpoints", "endpoint_cables", is_flag=True, help="List the cables to endpoints too.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="SEED",
    help="Of the draws that place a network without a rule of its own.",
)
@click.option("--stock", type=Lengths(), metavar="M,M,…", help="Metres in which cables are sold, ascending.")
@floor_options
@rack_options
@shared_options_but("-o", "no_study")
def cable(
    settings: Settings,
    chosen: ChosenNetwork,
    cables: Path | None,
    endpoint_cables: bool,
    seed: int,
    stock: tuple[float, ...] | None,
    floor: str | None,
    prices: str | None,
    electrical: float | None,
    **racks: Any,
) -> None:
    """Put a network into racks on a floor, and list its cables.

    Routers stand as their family's source puts them, those of other networks by a partition of their links.
    The list is read back and held against the network before it is said to be written.
    """
    import time

    from topoctl.analysis.floor_plan import floor_plan
    from topoctl.economics.prices import priced
    from topoctl.floor.cabling import STOCK, cabling_list
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.document import document

    if cables is not None:
        if cables == Path("-") or is_special(cables):
            raise click.UsageError(f"--cables {cables}: expected a file, because it is read back")
        if cables.suffix.lower() != ".csv":
            raise click.UsageError(f"--cables {cables}: expected a name that ends in .csv")
        require_folder(cables)
    began = time.monotonic()
    ground, paid = floor_given(floor, **racks), priced(prices, electrical)
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads)
    plan = floor_plan(topology, ground, seed, threads)
    found = cabling_list(topology.graph, plan, stock or STOCK, paid.media, endpoints=endpoint_cables)
    row = {
        **chosen.row(topology),
        **found.numbers(),
    }
    if cables is not None:
        found.write(cables)
        settings.say(f"wrote {cables}, {len(found.lengths)} cables, read back and held against the network")
    parameters = {
        **chosen.parameters(),
        "cables": cables and str(cables),
        "endpoint_cables": endpoint_cables,
        "stock": stock and list(stock),
        "floor": ground.as_json(),
        "prices": paid.name,
        "electrical": electrical,
    }
    made = document("cable", parameters, [row], seed=seed, evaluations=1, seconds=time.monotonic() - began)
    settings.emit(made, TABLE)
