"""``topoctl cable``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, one_network, with_names
from topoctl.cli.options import Settings, given_in, request_options, shared_options_but
from topoctl.fields import COLUMNS, Rows, fields_of
from topoctl.files import is_special, require_folder
from topoctl.options.cable import CableRequest
from topoctl.report.notes import cable_notes
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.wiring.targets.record import Target

COUNTED = tuple(name for name in fields_of(Rows.CABLED) if name in COLUMNS)
LIMITED = ("length_limit_m", "cables_beyond_limit")
NETWORK = ("spec", "file", "planes", "order", "total_routers", "links", "endpoints")
TABLE = Table((*NETWORK, "sold_ports", "free_ports", *COUNTED, *LIMITED), cable_notes)

EXAMPLES = """Examples:
  topoctl cable 'slimfly(q=5,p=4)' -o cables.csv
  topoctl cable 'dragonfly(p=4,a=8,h=4)' --endpoints -o cables.csv
  topoctl cable network.edges --p 4 --floor slimfly2014 --routers-per-rack 20
  topoctl cable 'flex(nx=6,ny=6,nz=3)' --rack 0.8x1.2 --aisle 1.5 --room 12x20 --stock 1,2,3,5,10,15,20
  topoctl cable 'dragonfly(p=4,a=8,h=4)' --sold 16,24,36
  topoctl cable 'fattree(k=8,levels=2)' --planes 4 --endpoints --names 'p{plane}-{role}{n}' -o cables.csv
  topoctl cable --run 1 -o cables.csv
  topoctl cable 'fattree(k=8)' --for netbox --names '{role}{group}-{index:02},port=swp{n}' -o netbox
  topoctl cable --run 1 --for topo --names names.toml -o fabric"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(CableRequest)
@shared_options_but("-o", "no_study")
def cable(
    settings: Settings,
    chosen: ChosenNetwork,
    cables: Path | None,
    naming: str | None,
    target: str | None,
    **given: Any,
) -> None:
    """Put a network into racks on a floor, and list its cables.

    Routers stand where the source of their family places them; routers of other networks are placed by a
    partition of their links. A network of a run stands on the floor of the run, unless --floor names
    another one, and one of a design has its planes there, unless --planes tells others; cables that break
    the run's limit are counted. The list is read back and compared with the
    network before it is reported as written.
    """
    import time

    from topoctl.cable_limit import CableLimit
    from topoctl.economics.expenses import free_ports
    from topoctl.economics.prices import prices_asked
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.cables import cables_of, floor_asked, write_cables
    from topoctl.runs.document import document
    from topoctl.runs.rows import whole_of_planes
    from topoctl.study.processes import described

    tool = tool_asked(target, cables)
    began = time.monotonic()
    request = CableRequest(**given_in(given))
    if tool is not None:
        request = replace(request, endpoint_cables=True)
    ground = floor_asked(request)
    paid = prices_asked(request.prices, request.electrical, request.sold)
    threads = thread_count(settings.workers)
    topology, own = chosen.on_its_floor(settings, threads)
    request = replace(request, planes=chosen.planes(settings, given["planes"]))
    if own is not None:
        ground = floor_asked(request, own)
    called = with_names(settings, chosen.run, naming, topology, ground, request.seed, threads, request.planes)
    found = cables_of(topology, request, ground, paid, threads, called.names)
    limit = topology.length_limit
    row = {
        **chosen.row(topology),
        **found.numbers(),
        **(found.beyond(limit) if isinstance(limit, CableLimit) else {}),
        **(whole_of_planes(request.planes, topology) if request.planes > 1 else {}),
    }
    if paid.sold:
        ports = paid.bought(topology.router_radix).ports
        row |= {"sold_ports": ports, "free_ports": request.planes * free_ports(topology, ports)}
    if chosen.run is not None and own is not None and request.floor is None:
        settings.say(
            f"floor of {described(chosen.run)}: racks of {ground.rack_width:g} x {ground.rack_depth:g} m"
        )
    if cables is not None:
        for line in write_cables(found, called, tool, cables):
            settings.say(line)
    parameters = {
        **chosen.parameters(),
        "cables": cables and str(cables),
        "target": tool and tool.name,
        "naming": naming,
        "endpoint_cables": request.endpoint_cables,
        "planes": request.planes,
        "stock": request.stock and list(request.stock),
        "floor": ground.as_json(),
        "prices": paid.name,
        "electrical": request.electrical,
        "sold": request.sold and list(request.sold),
    }
    made = document(
        "cable", parameters, [row], seed=request.seed, evaluations=1, seconds=time.monotonic() - began
    )
    settings.emit(made, TABLE)


def tool_asked(name: str | None, cables: Path | None) -> Target | None:
    """The tool whose files are to be written, or None for the list of cables; checks their place first.

    Raises:
        UsageError: no place for them, or a name that cannot be theirs.
        InvalidParameters: no such tool, or a name that cannot be its file's.
        FormatError: there is no folder to write in.
    """
    if cables == Path("-") or (cables is not None and is_special(cables)):
        raise click.UsageError(f"--cables {cables}: expected a file, because it is read back")
    if name is not None:
        from topoctl.wiring.targets import require_place, target_named

        tool = target_named(name)
        if cables is None:
            wanted = f"a file *{tool.suffixes[0]}" if tool.suffixes else "a folder"
            raise click.UsageError(f"--for {tool.name} writes {wanted}: name it with -o")
        require_place(tool, cables)
        return tool
    if cables is not None:
        if cables.is_dir():
            raise click.UsageError(f"--cables {cables}: is a folder; expected a name that ends in .csv")
        if cables.suffix.lower() != ".csv":
            raise click.UsageError(f"--cables {cables}: expected a name that ends in .csv")
        require_folder(cables)
    return None
