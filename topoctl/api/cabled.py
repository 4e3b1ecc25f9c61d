"""Cables, with the command line's options as keyword arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from topoctl.api.arguments import checked, network_of
from topoctl.floor.cabling import CablingList
from topoctl.kernels.backend import thread_count
from topoctl.measuring_requests import CableRequest
from topoctl.runs.cables import cables_of, floor_asked, prices_of
from topoctl.topology import Topology


def cable(
    network: Topology | str | Path,
    *,
    endpoints: bool = False,
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
        endpoints: list the cables to endpoints too.
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
        InvalidParameters: an argument is wrong.
        FormatError: a file cannot be read.
        Infeasible: the floor has no room, or no length that is sold is long enough.

    Example:
        >>> cables = cable("slimfly(q=5,p=4)", endpoints=True)
        >>> cables.numbers()["cables"], cables.to_records()[0]["from"]
        (375, 'router 0')
    """
    arguments: dict[str, Any] = dict(locals())
    del arguments["network"]
    asked = checked(cable, **arguments)
    asked.pop("workers", None)
    request = CableRequest(endpoint_cables=asked.pop("endpoints"), **asked)
    ground, paid = floor_asked(request), prices_of(request)
    return cables_of(network_of(network), request, ground, paid, thread_count(workers))
