"""One network as a row of results: the fields of the contract, floats unrounded."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from topoctl.runs.document import Row

if TYPE_CHECKING:  # an evaluation may need no family
    from topoctl.papers.presets import Preset
    from topoctl.search.enumeration.ranking import MeasuredInstance
    from topoctl.search.evaluated_networks import EvaluatedNetwork
    from topoctl.topology import Topology


def network_row(rank: int, network: EvaluatedNetwork) -> Row:
    """A measured network.

    Args:
        rank: counted from 1.
        network: with every number of it.
    """
    topology = network.assessment.topology
    row: Row = {
        "rank": rank,
        "spec": topology.spec,
        "family": topology.family,
        "parameters": dict(topology.parameters),
        **network.numbers(),
    }
    if topology.layout is not None and "symmetry" in topology.parameters:
        row["symmetry"] = topology.parameters["symmetry"]
    begun = ("origin", "start_links", "start_links_kept", "way", "kept_cables", "moved_cables", "new_cables")
    row |= {name: topology.parameters[name] for name in begun if name in topology.parameters}
    if "way" in topology.parameters:
        steps = cast(Sequence[Sequence[int]], topology.parameters["steps"])
        row["steps"] = [_step_row(*step) for step in steps]
    if network.file is not None:
        row["file"] = network.file
    return row


def whole_of_planes(planes: int, topology: Topology) -> Row:
    """What a row says of several planes together.

    Args:
        planes: how many.
        topology: one of them.
    """
    graph = topology.graph
    return {"planes": planes, "total_routers": planes * graph.order, "total_links": planes * graph.size}


def _step_row(order: int, moved: int, new: int, diameter: int, distance_sum: int) -> Row:
    """What a step of a growth moved, and the network after it."""
    counts = {"order": order, "moved_cables": moved, "new_cables": new}
    return {**counts, "diameter": diameter, "aspl": 2 * distance_sum / (order * (order - 1))}


def network_rows(networks: Iterable[EvaluatedNetwork]) -> list[Row]:
    """Networks from best to worst."""
    return [network_row(rank, network) for rank, network in enumerate(networks, 1)]


class Twins:
    """Finds networks of a ranking that are the same: the same links by number, and the same endpoints."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[int, bytes], int] = {}

    def fields(self, rank: int, topology: Topology, planes: int = 1) -> Row:
        """What the row of a rank says of a network above it that is the same; nothing where none is.

        Args:
            rank: of the network.
            topology: the network.
            planes: how many of it make the whole.
        """
        content = hashlib.sha256()
        for array in (topology.graph.offsets, topology.graph.neighbors, topology.endpoints_per_router):
            content.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
        first = self._ranks.setdefault((planes, content.digest()), rank)
        return {} if first == rank else {"same_as": first}


def instance_row(rank: int, network: EvaluatedNetwork, instance: MeasuredInstance) -> Row:
    """A network that an enumeration found."""
    row = network_row(rank, network)
    for name in ("balance", "relative_bisection"):
        value = instance.known.get(name)
        row[name] = None if value is None or value == math.inf else float(value)
    return row


def published_fields(preset: Preset) -> Row:
    """A preset's published network: the one to beat."""
    return {
        "preset": preset.name,
        "spec": preset.published and preset.published.spec,
        "diameter": preset.published and preset.published.diameter,
        "distance_sum": preset.published and preset.published.distance_sum,
        "aspl": preset.published_aspl,
    }


def unmeasured_row(rank: int, topology: Topology, file: str | None) -> Row:
    """A network that is too large to be measured."""
    graph = topology.graph
    return {
        "rank": rank,
        "spec": topology.spec,
        "file": file,
        "order": graph.order,
        "size": graph.size,
        "network_radix": graph.network_radix,
        "diameter": None,
        "aspl": None,
    }
