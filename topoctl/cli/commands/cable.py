"""``topoctl cable``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, one_network
from topoctl.cli.options import Settings, request_options, shared_options_but
from topoctl.fields import COLUMNS, Rows, fields_of
from topoctl.files import is_special, require_folder
from topoctl.measuring_requests import CableRequest
from topoctl.report.notes import stock_notes
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.floor.floor import Floor

COUNTED = tuple(name for name in fields_of(Rows.CABLED) if name in COLUMNS)
TABLE = Table(("spec", "file", "order", "links", "endpoints", *COUNTED), stock_notes)

EXAMPLES = """Examples:
  topoctl cable 'slimfly(q=5,p=4)' -o cables.csv
  topoctl cable 'dragonfly(p=4,a=8,h=4)' --endpoints -o cables.csv
  topoctl cable network.edges --p 4 --floor slimfly2014 --routers-per-rack 20
  topoctl cable 'flex(nx=6,ny=6,nz=3)' --rack 0.8x1.2 --aisle 1.5 --room 12x20 --stock 1,2,3,5,10,15,20
  topoctl cable --run 1 -o cables.csv

All floors and prices: docs/how-to/cabling.md"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(CableRequest)
@shared_options_but("-o", "no_study")
def cable(
    settings: Settings,
    chosen: ChosenNetwork,
    cables: Path | None,
    **given: Any,
) -> None:
    """Put a network into racks on a floor, and list its cables.

    Routers stand where the source of their family places them; routers of other networks are placed by a
    partition of their links. The list is read back and compared with the network before it is reported as
    written.
    """
    import time

    from topoctl.analysis.floor_plan import floor_plan
    from topoctl.economics.prices import prices_with_threshold
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
    request = CableRequest(**{name: value for name, value in given.items() if value is not None})
    ground, paid = _floor(request), prices_with_threshold(request.prices, request.electrical)
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads)
    plan = floor_plan(topology, ground, request.seed, threads)
    found = cabling_list(
        topology.graph, plan, request.stock or STOCK, paid.media, endpoints=request.endpoint_cables
    )
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
        "endpoint_cables": request.endpoint_cables,
        "stock": request.stock and list(request.stock),
        "floor": ground.as_json(),
        "prices": paid.name,
        "electrical": request.electrical,
    }
    made = document(
        "cable", parameters, [row], seed=request.seed, evaluations=1, seconds=time.monotonic() - began
    )
    settings.emit(made, TABLE)


def _floor(request: CableRequest) -> Floor:
    """The floor that the options describe.

    Raises:
        InvalidParameters: no preset has that name, or a value is out of range.
        FormatError: the file does not exist, or describes no floor.
    """
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    (rack_width, rack_depth), (width, depth) = request.rack or (None, None), request.room or (None, None)
    sizes = {"rack_width": rack_width, "rack_depth": rack_depth, "width": width, "depth": depth}
    changes = ("aisle", "units", "routers_per_rack", "overhead", "tray")
    sizes |= {name: getattr(request, name) for name in changes}
    return floor_named(request.floor or DEFAULT_FLOOR).changed(**sizes)
