"""Cables, with the command line's options as keyword arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from topoctl.api.arguments import checked_arguments, network_of
from topoctl.economics.prices import prices_asked
from topoctl.errors import InvalidParameters
from topoctl.floor.cabling_list import CablingList
from topoctl.floor.floor import floor_named
from topoctl.kernels.backend import thread_count
from topoctl.options.cable import CableRequest
from topoctl.runs.cables import cables_of, floor_asked, write_cables
from topoctl.runs.router_names import named_on_floor
from topoctl.topology import Topology
from topoctl.wiring.names import Naming
from topoctl.wiring.targets import require_place, target_named


def named(network: Topology | str | Path, names: str | Path, *, floor: str | None = None) -> Topology:
    """Name the routers, endpoints and ports of a network, for whatever is written of it: `--names`.

    Args:
        network: a spec, a file, or a network as of build or read.
        names: patterns, such as ``"leaf{group}-{index},port=swp{n}"``, or a TOML file of patterns and lists.
        floor: whose racks and units the names tell: a preset, or a file of your own.

    Raises:
        InvalidParameters: names that are none, or that do not fit the network.
        FormatError: a file cannot be read.

    Example:
        >>> named("dragonfly(p=2,a=4,h=2)", "leaf{group}-{index}").names.routers[5]
        'leaf1-1'
    """
    asked = checked_arguments(named, names=names, floor=floor)
    ground = None if floor is None else floor_named(asked["floor"])
    return named_on_floor(network_of(network), Naming.of(asked["names"]), ground)


def cable(
    network: Topology | str | Path,
    *,
    cables: str | Path | None = None,
    target: str | None = None,
    names: str | Path | None = None,
    endpoints: bool = False,
    planes: int = 1,
    floor: str | None = None,
    rack: tuple[float, float] | None = None,
    aisle: float | None = None,
    units: int | None = None,
    routers_per_rack: int | None = None,
    overhead: float | None = None,
    tray: float | None = None,
    room: tuple[float, float] | None = None,
    prices: str | None = None,
    electrical: float | None = None,
    sold: tuple[int, ...] | None = None,
    stock: tuple[float, ...] | None = None,
    seed: int = 1,
    workers: int | None = None,
) -> CablingList:
    """Put a network into racks on a floor, and list its cables: `topoctl cable`.

    Args:
        network: a spec, a file, or a network as of build or read.
        cables: the file to write: the list, or the plan for a tool, which may be a folder.
        target: the tool that the plan is written for, such as ``"netbox"``, all endpoints included.
        names: of routers, endpoints and ports: patterns, or a file, as for `--names`; by default those of the
            network, of :func:`named`.
        endpoints: list the cables to endpoints too.
        planes: copies of the network, each with a port of its own at every endpoint.
        floor: racks, rows and ways of cables: a preset, or a file of your own.
        rack: width and depth of a rack in metres.
        aisle: metres between two rows of racks.
        units: of a rack.
        routers_per_rack: most routers in a rack.
        overhead: metres of extra cable at each of its two ends.
        tray: metres from the top of the racks to the trays.
        room: width and depth of the room in metres.
        prices: which say what cables are made of: a preset, or a file of your own.
        electrical: metres up to which cables are electrical, in place of what the prices say.
        sold: ports of the routers that are sold.
        stock: metres in which cables are sold, ascending.
        seed: of the draws that place a network whose family has no placement.
        workers: threads; by default every core.

    Returns:
        The list: ``numbers()`` are its totals, ``to_records()`` a dictionary a cable; ``write(path)``
        makes the CSV of the command.

    Raises:
        InvalidParameters: an argument is wrong, or the tool does not take the plan.
        FormatError: a file cannot be read, or there is no folder to write in.
        TopoctlError: a file cannot be written.
        Infeasible: the floor has no room, or no length that is sold is long enough.

    Example:
        >>> cables = cable("slimfly(q=5,p=4)", endpoints=True)
        >>> cables.numbers()["cables"], cables.to_records()[0]["from"]
        (375, 'router 0')
    """
    arguments: dict[str, Any] = dict(locals())
    del arguments["network"]
    asked = checked_arguments(cable, **arguments)
    asked.pop("workers", None)
    naming, wanted, file = (asked.pop(name, None) for name in ("names", "target", "cables"))
    tool = None if wanted is None else target_named(wanted)
    if tool is not None:
        if file is None:
            raise InvalidParameters(f"target={tool.name!r} writes files: expected cables= to name them")
        require_place(tool, Path(file))
    request = CableRequest(endpoint_cables=asked.pop("endpoints") or tool is not None, **asked)
    ground, threads = floor_asked(request), thread_count(workers)
    paid = prices_asked(request.prices, request.electrical, request.sold)
    plain = called = network_of(network)
    if naming is not None:
        called = named_on_floor(plain, Naming.of(naming), ground, seed, threads, request.planes)
    found = cables_of(plain, request, ground, paid, threads, called.names)
    if file is not None:
        write_cables(found, called, tool, Path(file))
    return found
