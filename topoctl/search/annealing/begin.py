"""A network from a file as the start of a search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError
from topoctl.formats import doubt_numbering, read_topology
from topoctl.search.annealing.site import Site, slots_of
from topoctl.topology import Symmetry, Topology


def values_of_file(path: str, *, placed: bool) -> dict[str, Any]:
    """The values of a request that a start file implies: its routers, its largest degree, its longest link.

    Args:
        path: the file.
        placed: whether the routers must have positions.

    Raises:
        FormatError: the file cannot be read, or has no positions where they are needed.
    """
    topology = read_topology(path)
    doubt_numbering(path, topology)
    values: dict[str, Any] = {"order": topology.graph.order, "degree": topology.graph.network_radix}
    if not placed:
        return values
    layout = topology.layout
    if layout is None:
        raise FormatError(
            path, "no positions; expected lines such as '0,0 1,0', or use: topoctl optimize graph"
        )
    longest = int(layout.lengths(topology.graph.links()).max(initial=1))
    return values | {
        "layout": layout.kind,
        "width": layout.width,
        "height": layout.height,
        "length_limit": topology.length_limit or longest,
    }


def slots_of_file(path: str, site: Site, fold: int | None = None) -> tuple[NDArray[np.int32], int]:
    """The network of a start file, int32, shape (order, degree), and the order of its rotation.

    Args:
        path: the file.
        site: what the network has to fit.
        fold: the order of the rotation that it must have, or None for the highest that it has.

    Raises:
        FormatError: the file cannot be read, or its network does not fit the site; the message names the
            link or the router at fault.
    """
    topology = read_topology(path)
    graph = topology.graph
    if graph.order != site.order:
        raise FormatError(path, f"{graph.order} routers, expected {site.order}")
    if site.layout is not None and topology.layout is not None and topology.layout != site.layout:
        raise FormatError(path, f"a {topology.layout}, expected a {site.layout}")
    _check_links(path, topology, site)
    folds = [order for order in site.folds if Symmetry((site.rotation(order),)).holds_for(graph)]
    if fold is not None and fold not in folds:
        raise FormatError(
            path, f"not symmetric under --symmetry {fold}, expected {' or '.join(map(str, folds))}"
        )
    return slots_of(graph, site.degree), fold or folds[0]


def _check_links(path: str, topology: Topology, site: Site) -> None:
    graph = topology.graph
    crowded = np.flatnonzero(graph.degrees > site.degree)
    if len(crowded):
        router = int(crowded[0])
        raise FormatError(
            path,
            f"router {_name(site, router)} has {graph.degrees[router]} links, expected at most {site.degree}",
        )
    if site.layout is None or site.length_limit is None:
        return
    links = graph.links()
    lengths = site.layout.lengths(links)
    long = np.flatnonzero(lengths > site.length_limit)
    if len(long):
        tail, head = links[long[0]].tolist()
        raise FormatError(
            path,
            f"the link {_name(site, tail)} {_name(site, head)} is {lengths[long[0]]} long, "
            f"expected at most {site.length_limit}",
        )


def _name(site: Site, router: int) -> str:
    """A router as its file names it."""
    return str(router) if site.layout is None else ",".join(map(str, site.layout.positions[router].tolist()))
