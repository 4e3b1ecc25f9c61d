"""Networks as arguments of a command: specs and files, read, and checked before they are measured."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.runs.document import Row
    from topoctl.topology import Topology


def is_file(network: str) -> bool:
    """Whether an argument means a file: what a family can read as a spec is one, whatever files there are.

    Anything else is a file where one exists, or where it looks like a path and not like a spec.

    Example:
        >>> is_file("rings/a.edges"), is_file("missing.graphml"), is_file("./N14K6[-1,1,3,9](4)")
        (True, True, True)
        >>> is_file("N14K6[-1,1,3,9](4)"), is_file("torsu(dims=4x4)")
        (False, False)
    """
    if network == "-":
        return True
    bracketed = re.search(r"[(\[]", network) is not None
    if bracketed and names_network(network):
        return False
    looks_like_path = "/" in network or "." in network
    return exists(network) or network.startswith(("/", "./", "../")) or (looks_like_path and not bracketed)


def names_network(text: str) -> bool:
    """Whether a family reads the text as one of its specs."""
    from topoctl.errors import InvalidParameters
    from topoctl.families import FAMILIES

    try:
        return any(family.parse(text) is not None for family in FAMILIES.values())
    except InvalidParameters:
        return False


def exists(path: str) -> bool:
    """Whether there is such a file; no text is too odd to be asked for."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # longer than a name may be, or a NUL in it
        return False


def read_topology(network: str, concentration: int | None) -> Topology:
    """Build what a spec names, or read a file."""
    if not is_file(network):
        from topoctl.families import topology_from_spec

        return topology_from_spec(network)
    from topoctl import formats

    topology = formats.read_topology(network, concentration=concentration)
    formats.doubt_numbering(network, topology)
    return topology


def populated(topology: Topology, concentration: int | None) -> Topology:
    """The network with another number of endpoints per router; unchanged for None.

    Raises:
        InvalidParameters: the network has a spec, which says how many.
    """
    if concentration is None:
        return topology
    from topoctl.errors import InvalidParameters
    from topoctl.topology import uniform_endpoints

    if topology.spec is not None:
        raise InvalidParameters(f"--p {concentration}: in a spec, p is written in the spec")
    return replace(topology, endpoints_per_router=uniform_endpoints(topology.graph.order, concentration))


def network_row(topology: Topology, name: str | None) -> Row:
    """Return what a row says of a network beside what is found of it; the name is that of its file."""
    return {
        "spec": topology.spec,
        "file": name if topology.spec is None else None,
        "order": topology.graph.order,
        "links": topology.graph.size,
        "network_radix": topology.graph.network_radix,
        "concentration": topology.concentration,
        "endpoints": topology.endpoints,
    }
