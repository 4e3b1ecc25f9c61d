"""A load, or the largest load that is carried, as what a search simulates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from topoctl.json_shapes import many, number, one_of, optional, record, row, whole
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.search.protocol import Json
from topoctl.simulation.cases import Case, case_of, matrices_of, throughputs
from topoctl.simulation.point import COUNTS, Point, Saved, Stopping
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.rows import point_row
from topoctl.simulation.saturation import LoadsUnderWay
from topoctl.topology import Topology

UNDER_WAY = record(
    {
        "tried": many(row(number(0), one_of(False, True))),
        "load": optional(number(0)),
        "counts": optional(record({**dict.fromkeys(COUNTS, whole()), "ended": one_of(False)})),
    }
)


class Loads:
    """One load, or those on the way to the largest that is carried.

    Args:
        request: with one routing, one pattern, and one load or the largest that is carried.
        limit: load at which the worst link is full; None where none is loaded.
    """

    things = "cycles"
    under_way = staticmethod(UNDER_WAY)

    def __init__(self, request: SimulationRequest, limit: float | None) -> None:
        self.request, self.limit = request, limit

    @classmethod
    def plan(
        cls, request: SimulationRequest, topology: Topology, tables: Mapping[str, NextHopTable], threads: int
    ) -> tuple[Self, Mapping[str, Any]]:
        """Lay a point out, prove that it cannot deadlock, and find its limit; return it and what is of files.

        Raises:
            InvalidParameters: a pattern that is not for the network, or packets that may deadlock.
            FormatError: a file that holds no matrix of traffic for it.
        """
        files = {**tables, **matrices_of(topology, request)}
        case = case_of(topology, request, files)
        [limit] = throughputs(case.network, case.traffics[-1:], threads)
        return cls(request, limit), files

    @classmethod
    def from_parameters(cls, request: SimulationRequest, parameters: Mapping[str, Json]) -> Self:
        """Make what is described by a request, and parameters beside it."""
        return cls(request, parameters["limit"])

    @property
    def parameters(self) -> dict[str, Json]:
        """JSON values beside those of the request."""
        return {"limit": self.limit}

    def case(self, topology: Topology, files: Mapping[str, Any]) -> Case:
        """Lay the network out, with what is sent over it."""
        return case_of(topology, self.request, files)

    def begin(self, case: Case, saved: Saved | None) -> LoadsUnderWay:
        """Begin, or go on."""
        request = self.request
        # What stands for an adaptive routing may fill a link earlier than its own choices do.
        limit = None if case.network.routing.adaptive else self.limit
        unproven = not case.network.channels.deadlock_free
        stopping = Stopping(request.precision, request.most_cycles, request.every, unproven)
        load = None if request.saturation else request.load[0]
        return LoadsUnderWay(case, request.seed, stopping, load, limit, saved)

    def rows(self, under_way: LoadsUnderWay, found: Point) -> list[dict[str, Json]]:
        """Return the row of a load that has ended; none where a larger one is carried."""
        if found.saturated and under_way.carried is not None:
            return []
        case = under_way.case
        flits = float(case.sending.sources.mean_flits)
        row = point_row(case.network, case.sending.name, flits, found, self.limit, self.request)
        return [row | ({"saturation_load": under_way.carried} if self.request.saturation else {})]

    def reached(self, going_on: Json, rows: Json) -> tuple[int, int]:
        """Return the cycles of the load that is under way, or of the last one, and how many there may be."""
        counts = going_on and going_on["counts"]
        cycles = counts["cycle"] if counts else rows[0]["cycles"] if rows else 0
        return cycles, self.request.most_cycles
