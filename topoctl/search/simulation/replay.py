"""The packets of a file, as what a search simulates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from topoctl.routing.next_hop_table import NextHopTable
from topoctl.search.protocol import Json
from topoctl.search.simulation.work import TASKS
from topoctl.simulation.cases import laid_out
from topoctl.simulation.packet_files import read_packets
from topoctl.simulation.point import Point, Saved
from topoctl.simulation.replay import ReplayCase, ReplayUnderWay
from topoctl.simulation.request import SimulationRequest, read_sizes
from topoctl.simulation.rows import point_row
from topoctl.topology import Topology


class Replay:
    """Packets of a file, each sent once.

    Args:
        request: with one routing and the file.
    """

    things = "packets"
    under_way = staticmethod(TASKS)

    def __init__(self, request: SimulationRequest) -> None:
        self.request = request

    @classmethod
    def plan(
        cls,
        request: SimulationRequest,
        topology: Topology,
        tables: Mapping[str, NextHopTable],
        threads: int,  # noqa: ARG003 - of the protocol
    ) -> tuple[Self, Mapping[str, Any]]:
        """Read the packets, and prove that they cannot deadlock; return the point and what is of files.

        Raises:
            InvalidParameters: packets that may deadlock, or that are not sent within the cycles.
            FormatError: a file that holds no packets of the network.
        """
        assert request.replay is not None
        sizes = read_sizes(request.packet_size)
        flits = sizes[0][0] if len(sizes) == 1 else None
        packets = read_packets(request.replay, topology.endpoints, flits)
        found, files = cls(request), {**tables, request.replay: packets}
        found.begin(found.case(topology, files), None)
        return found, files

    @classmethod
    def from_parameters(cls, request: SimulationRequest, parameters: Mapping[str, Json]) -> Self:  # noqa: ARG003
        """Make what is described by a request."""
        return cls(request)

    @property
    def parameters(self) -> dict[str, Json]:
        """JSON values beside those of the request."""
        return {"limit": None}

    def case(self, topology: Topology, files: Mapping[str, Any]) -> ReplayCase:
        """Lay the network out, with the packets."""
        name = str(self.request.replay)
        return ReplayCase(laid_out(topology, self.request, files), name, files[name])

    def begin(self, case: ReplayCase, saved: Saved | None) -> ReplayUnderWay:
        """Begin, or go on."""
        return ReplayUnderWay(case, self.request, saved)

    def rows(self, under_way: ReplayUnderWay, found: Point) -> list[dict[str, Json]]:
        """Return the row."""
        case = under_way.case
        return [point_row(case.network, case.name, case.mean_flits, found, None, self.request)]

    def reached(self, going_on: Json, rows: Json) -> tuple[int, int]:
        """Return the packets that have arrived, and how many there are; at the end those alone."""
        if going_on:
            return going_on["over"], going_on["tasks"]
        return (rows[0]["packets"], rows[0]["packets"]) if rows else (0, 0)
