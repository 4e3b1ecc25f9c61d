"""Networks on a floor that no spec names: annealed grid graphs, and the tori beside them in a paper."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.layout import Kind, Layout
from topoctl.papers.conditions import Conditions
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.certify import certify
from topoctl.topology import Topology, uniform_endpoints


class AnnealedGrid(BaseModel):
    """A network that `optimize grid` finds in some moves, which takes seconds.

    Attributes:
        layout, width, height, degree, length_limit, moves, objective, max_latency_ns: options of the command.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    layout: Kind
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    degree: int = Field(ge=1)
    length_limit: int = Field(ge=1)
    moves: int = Field(ge=1)
    objective: Literal["aspl", "power"] = "aspl"
    max_latency_ns: float | None = None

    @property
    def spec(self) -> str:
        """What tables call it."""
        return f"{self.layout} {self.width}x{self.height}, K {self.degree}, L {self.length_limit}"

    def topology(self, conditions: Conditions, threads: int | None) -> Topology:
        """Search for the network, with seed 1, and measure it again.

        Args:
            conditions: the cabinets that it stands in.
            threads: for the search, whose result does not depend on it.

        Example:
            >>> small = AnnealedGrid(layout="grid", width=4, height=4, degree=3, length_limit=2, moves=500)
            >>> small.topology(Conditions(), 1).graph.order
            16
        """
        request = AnnealingRequest(
            order=self.width * self.height,
            replicas=1,
            top=1,
            cabinet=conditions.cabinet,
            overhead=conditions.overhead,
            **self.model_dump(),
        )
        search = AnnealingSearch.plan(request, threads or 1)
        state = search.first_state()
        while not search.finished(state):
            state = search.step(state, threads or 1)
        return certify(search.leaders(state)[0], threads).topology


class TorusPlanes(BaseModel):
    """A 3-D torus, its planes of x and y beside each other on the floor, a router in every cabinet.

    Nakano et al. (2016) do not say how their tori stand.

    Attributes:
        dims: x, y and z.
        across: how many planes stand side by side; the next ones stand behind them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    dims: tuple[int, int, int]
    across: int = Field(ge=1)

    @property
    def spec(self) -> str:
        """What tables call it."""
        x, y, z = self.dims
        return f"torus {x}x{y}x{z} on {x * self.across}x{y * z // self.across}"

    def topology(self, conditions: Conditions, threads: int | None) -> Topology:  # noqa: ARG002
        """The torus, its routers numbered by their places.

        Example:
            >>> TorusPlanes(dims=(3, 2, 4), across=2).topology(Conditions(), 1).layout
            Layout(kind='grid', width=6, height=4)
        """
        x, y, z = self.dims
        torus = topology_from_spec(f"torus(dims={x}x{y}x{z})").graph
        at_x, at_y, plane = np.unravel_index(np.arange(torus.order), self.dims)
        column = at_x + x * (plane % self.across)
        row = at_y + y * (plane // self.across)
        layout = Layout("grid", x * self.across, y * z // self.across)
        places = row * layout.width + column
        graph = Graph.from_links(torus.order, places[torus.links()])
        return Topology("torus", {}, graph, uniform_endpoints(graph.order, 0), layout=layout)


Placed = AnnealedGrid | TorusPlanes
