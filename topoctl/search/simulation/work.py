"""Work to be completed, as what a search simulates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from topoctl.json_shapes import record, whole
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.search.protocol import Json
from topoctl.simulation.cases import laid_out
from topoctl.simulation.point import Saved
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.rows import work_rows
from topoctl.simulation.work import Completion, WorkCase, WorkUnderWay, work_case
from topoctl.simulation.workloads import jobs_of, works_of_files
from topoctl.simulation.workloads.record import Work
from topoctl.topology import Topology

TASKS = record({"cycle": whole(), "over": whole(), "tasks": whole(1)})
"""Of what is simulated until all of it is over."""


class WorkToComplete:
    """Work, with all jobs that are done at once.

    Args:
        request: with one routing and one work.
    """

    things = "tasks"
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
        """Place work on a network, and prove that it cannot deadlock; return it and what is of files.

        Raises:
            InvalidParameters: work that is not for the network, or packets that may deadlock.
            FormatError: a file that holds no work.
        """
        found, files = cls(request), {**tables, **works_of_files(jobs_of(request))}
        found.case(topology, files)
        return found, files

    @classmethod
    def from_parameters(cls, request: SimulationRequest, parameters: Mapping[str, Json]) -> Self:  # noqa: ARG003
        """Make what is described by a request."""
        return cls(request)

    @property
    def parameters(self) -> dict[str, Json]:
        """JSON values beside those of the request."""
        return {"limit": None}

    def case(self, topology: Topology, files: Mapping[str, Any]) -> WorkCase:
        """Lay the network out, and place the work on it."""
        works = {name: read for name, read in files.items() if isinstance(read, Work)}
        [(name, jobs)] = jobs_of(self.request, works)
        return work_case(laid_out(topology, self.request, files), self.request, name, jobs)

    def begin(self, case: WorkCase, saved: Saved | None) -> WorkUnderWay:
        """Begin, or go on."""
        return WorkUnderWay(case, self.request, saved)

    def rows(self, under_way: WorkUnderWay, found: Completion) -> list[dict[str, Json]]:
        """Return the rows of all of it, and of every job where there are several."""
        return work_rows(under_way.case, found, self.request)

    def reached(self, going_on: Json, rows: Json) -> tuple[int, int]:
        """Return the tasks that are over, and how many there are; at the end its messages alone."""
        if going_on:
            return going_on["over"], going_on["tasks"]
        return (rows[0]["messages_arrived"], rows[0]["messages"]) if rows else (0, 0)
