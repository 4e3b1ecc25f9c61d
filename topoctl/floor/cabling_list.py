"""The cabling list of a floor plan: both ends of every cable, and the length to buy."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import MILLIMETRES, CableLimit
from topoctl.errors import Contradiction, Infeasible, InvalidParameters
from topoctl.files import replacing
from topoctl.floor.floor import MICROMETRES, micrometres
from topoctl.floor.plan import FloorPlan, Integers
from topoctl.graph import Graph
from topoctl.topology import NUMBERS, Names

STOCK = (
    *(0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 75.0, 100.0),
    *(150.0, 200.0, 300.0),
)
"""Metres in which cables are sold, by default."""
MAX_STOCK_METRES = 1_000_000
"""Metres; far longer than any floor."""
HEADER = (
    *("cable", "from", "from_rack", "from_unit", "from_port", "to", "to_rack", "to_unit", "to_port"),
    *("medium", "metres", "stock_metres"),
)
PLANE = "plane"
"""The column behind these of a list of several planes: the plane of every cable, from 0."""


@dataclass(frozen=True, eq=False, repr=False)
class CablingList:
    """Cables in the order in which they are numbered: those of links, then those of endpoints.

    Attributes:
        plan: of the floor.
        links: int32, shape (links, 2), ascending.
        link_ports: int64, shape (links, 2): the ports at both ends, counted from 1 at every router, those to
            other routers first, by their numbers.
        endpoint_ports: int64, shape (planes * endpoints,): that endpoints have at their routers, plane by
            plane; empty where their cables are not listed.
        lengths: int64, shape (cables,), micrometres.
        stock: int64, shape (cables,): the length to buy, micrometres.
        media: str, shape (cables,).
        graph: whose cables they are, all planes.
        names: of routers, endpoints and ports; numbers, where it has none.
    """

    plan: FloorPlan
    links: NDArray[np.int32]
    link_ports: Integers
    endpoint_ports: Integers
    lengths: Integers
    stock: Integers
    media: NDArray[np.str_]
    graph: Graph
    names: Names = NUMBERS

    def numbers(self) -> dict[str, Any]:
        """Return the totals of the cables, and the cables to buy by medium and length."""
        width, depth = self.plan.size
        kinds = sorted(zip(self.media.tolist(), self.stock.tolist(), strict=True))
        return {
            "cables": len(self.lengths),
            "electrical_cables": int((self.media == "electrical").sum()),
            "optical_cables": int((self.media == "optical").sum()),
            "cable_metres": int(self.lengths.sum()) / MICROMETRES,
            "longest_cable_metres": int(self.lengths.max(initial=0)) / MICROMETRES,
            "bought_metres": int(self.stock.sum()) / MICROMETRES,
            "racks": self.plan.racks,
            "floor_width": width,
            "floor_depth": depth,
            "stock": [
                {"medium": medium, "metres": length / MICROMETRES, "cables": count}
                for (medium, length), count in Counter(kinds).items()
            ],
        }

    def beyond(self, limit: CableLimit) -> dict[str, Any]:
        """Return a limit, how many cables between routers are longer, and by how much the longest is."""
        return {"length_limit_m": limit.metres, **beyond_limit(self.lengths[: len(self.links)], limit)}

    def write(self, path: Path) -> None:
        """Write the list, read it back and compare it with the network.

        Raises:
            TopoctlError: the file cannot be written, or does not hold the network.
        """
        with replacing(path) as file:
            file.write(self.to_csv())
            file.seek(0)
            self._check(file.read().decode())

    def _check(self, text: str) -> None:
        """Compare the text of a written list with the network: the same links, and no port used twice.

        Raises:
            Contradiction: the list is of another network.
        """
        routers, endpoints = ({name: number for number, name in enumerate(one)} for one in self.called())
        rows = [*csv.DictReader(io.StringIO(text))]
        ports = {(row[end], row[f"{end}_port"]) for row in rows for end in ("from", "to")}
        links = [[routers.get(row["from"]), routers.get(row["to"])] for row in rows[: len(self.links)]]
        hosts = [endpoints.get(row["to"]) for row in rows[len(self.links) :]]
        planned = [*range(len(endpoints))] * self.plan.planes if len(self.endpoint_ports) else []
        if len(ports) != 2 * len(rows) or hosts != planned or links != self.links.tolist():
            raise Contradiction("the written cabling list differs from the network; expected all its links")

    def __repr__(self) -> str:
        return f"<{len(self.lengths)} cables of {self.graph.order} routers in {self.plan.racks} racks>"

    def to_records(self) -> list[dict[str, str | int | float]]:
        """A dictionary a cable, by the headings of the CSV; ``pandas.DataFrame`` takes the list."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows()]

    @property
    def header(self) -> tuple[str, ...]:
        """The headings of the list."""
        return HEADER if self.plan.planes == 1 else (*HEADER, PLANE)

    def rows(self) -> list[tuple[str | int | float, ...]]:
        """The lines of the list, by its headings: racks by row and column, units from the top, all from 1."""
        plan, size, racks = self.plan, len(self.links), self.plan.rack_names()
        routers, endpoints = self.called()
        planes = range(plan.planes)
        ports, inner = self.names.ports, self.names.endpoint_ports or [plane + 1 for plane in planes]
        of_router = [
            (name, racks[rack], unit + 1)
            for name, rack, unit in zip(routers, plan.rack_of.tolist(), plan.unit_of.tolist(), strict=True)
        ]

        def port_of(number: int) -> str | int:
            return number if ports is None else ports[number - 1]

        ends = [
            (*of_router[tail], port_of(port), *of_router[head], port_of(other))
            for (tail, head), (port, other) in zip(self.links.tolist(), self.link_ports.tolist(), strict=True)
        ]
        if len(self.endpoint_ports):
            hosts = (self.endpoint_ports, plan.router_of, plan.endpoint_racks, plan.endpoint_units)
            ends += [
                (*of_router[router], port_of(port), endpoints[number], racks[rack], unit + 1, inner[plane])
                for (plane, number), port, router, rack, unit in zip(
                    product(planes, range(len(endpoints))),
                    *(array.tolist() for array in hosts),
                    strict=True,
                )
            ]
        assert len(ends) == size + len(self.endpoint_ports)
        metres, stock = self.lengths / MICROMETRES, self.stock / MICROMETRES
        columns = [self.media.tolist(), metres.tolist(), stock.tolist()]
        if plan.planes > 1:
            parts = np.array([size, len(ends) - size]) // plan.planes
            columns.append(np.repeat([*planes, *planes], np.repeat(parts, plan.planes)).tolist())
        told = zip(ends, *columns, strict=True)
        return [(number, *end, *rest) for number, (end, *rest) in enumerate(told, start=1)]

    def called(self) -> tuple[Sequence[str], Sequence[str]]:
        """What routers, plane by plane, and endpoints are called."""
        routers: Sequence[str] | None
        endpoints: Sequence[str] | None
        routers, endpoints = self.names.routers, self.names.endpoints
        planes = self.plan.planes
        if routers is None:
            before = [f"p{plane}-" for plane in range(planes)] if planes > 1 else [""]
            count = self.graph.order // planes
            routers = [f"{plane}router {number}" for plane in before for number in range(count)]
        if endpoints is None:
            endpoints = [f"endpoint {number}" for number in range(len(self.plan.router_of) // planes)]
        return routers, endpoints

    def to_csv(self) -> bytes:
        """The list as CSV, with a header."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows())
        return text.getvalue().encode()


def beyond_limit(lengths: Integers, limit: CableLimit) -> dict[str, Any]:
    """Return how many cables between routers are longer than a limit, and by how much the longest is.

    Args:
        lengths: of the cables, in micrometres.
        limit: of each of them.

    Example:
        >>> beyond_limit(np.array([6_000_000, 7_500_000]), CableLimit(7000, 600, 2100, 2000))
        {'cables_beyond_limit': 1, 'metres_beyond_limit': 0.5}
    """
    most = limit.millimetres * (MICROMETRES // MILLIMETRES)
    return {
        "cables_beyond_limit": int((lengths > most).sum()),
        "metres_beyond_limit": max(0, int(lengths.max(initial=0)) - most) / MICROMETRES,
    }


def cabling_list(
    graph: Graph,
    plan: FloorPlan,
    stock: Sequence[float],
    media: Callable[[Integers], NDArray[np.str_]],
    *,
    endpoints: bool = False,
    names: Names = NUMBERS,
    ports: tuple[Integers, Integers] | None = None,
) -> CablingList:
    """List the cables of a network on a floor.

    Args:
        graph: its links, one plane of them.
        plan: where the routers of all planes stand.
        stock: metres in which cables are sold, ascending.
        media: lengths of cables in micrometres to their media.
        endpoints: list the cables to endpoints too.
        names: of routers, endpoints and ports, where they have some.
        ports: of links at both ends and of endpoints, in one plane; by default in the order of neighbours.

    Raises:
        InvalidParameters: the sold lengths do not ascend.
        Infeasible: a cable is longer than any of them.
    """
    if plan.planes > 1:
        graph = Graph.from_links(len(plan.rack_of), plan.in_planes(graph.links()))
    links = graph.links()
    lengths = plan.link_lengths(links)
    to_endpoints = np.zeros(0, dtype=np.int64)
    if endpoints:
        lengths = np.concatenate([lengths, plan.endpoint_lengths()])
        to_endpoints = np.tile(ports[1], plan.planes) if ports else endpoint_ports(graph, plan.router_of)
    sold = bought(lengths, stock)
    of_links = np.tile(ports[0], (plan.planes, 1)) if ports else link_ports(graph, links)
    return CablingList(plan, links, of_links, to_endpoints, lengths, sold, media(lengths), graph, names)


def link_ports(graph: Graph, links: NDArray[np.integer]) -> Integers:
    """The ports at both ends of links, from 1: int64, shape (links, 2).

    Example:
        >>> star = Graph.from_links(4, [(0, 1), (0, 2), (0, 3)])
        >>> link_ports(star, star.links()).tolist()
        [[1, 1], [2, 1], [3, 1]]
    """
    order = graph.order
    tails = np.repeat(np.arange(order, dtype=np.int64), graph.degrees)
    arcs = tails * order + graph.neighbors  # ascending, as neighbours are in every row
    wanted = links.astype(np.int64)
    here = np.searchsorted(arcs, wanted[:, 0] * order + wanted[:, 1]) - graph.offsets[wanted[:, 0]]
    there = np.searchsorted(arcs, wanted[:, 1] * order + wanted[:, 0]) - graph.offsets[wanted[:, 1]]
    return np.stack([here, there], axis=1).astype(np.int64) + 1


def endpoint_ports(graph: Graph, routers: Integers) -> Integers:
    """The ports of endpoints at their routers, behind those of links, from 1: int64, shape (endpoints,).

    Args:
        graph: of the routers.
        routers: of the endpoints, ascending.
    """
    first = np.cumsum(np.append(0, np.bincount(routers, minlength=graph.order)))[routers]
    ports: Integers = graph.degrees[routers] + 1 + np.arange(len(routers)) - first
    return ports


def bought(lengths: Integers, stock: Sequence[float]) -> Integers:
    """Choose the shortest sold length for every cable that is long enough: int64, (cables,), micrometres.

    Args:
        lengths: of the cables, in micrometres.
        stock: metres in which they are sold, ascending.

    Raises:
        InvalidParameters: the lengths do not ascend.
        Infeasible: none is long enough.

    Example:
        >>> bought(np.array([900_000, 1_000_001]), (1, 3)).tolist()
        [1000000, 3000000]
    """
    if max(stock, default=0) > MAX_STOCK_METRES:
        raise InvalidParameters(f"stock length {max(stock):g} m: expected at most {MAX_STOCK_METRES} m")
    sold = np.array([micrometres(metres) for metres in stock], dtype=np.int64)
    if not len(sold) or sold[0] <= 0 or (np.diff(sold) <= 0).any():
        raise InvalidParameters(
            f"stock lengths {[*stock]}: expected metres above 0, each above the one before"
        )
    longest = int(lengths.max(initial=0))
    if longest > sold[-1]:
        raise Infeasible(
            f"stock lengths up to {stock[-1]:g} m: a cable takes {longest / MICROMETRES:g} m; "
            "expected a longer one in stock, or a floor with shorter ways"
        )
    chosen: Integers = sold[np.searchsorted(sold, lengths)]
    return chosen
