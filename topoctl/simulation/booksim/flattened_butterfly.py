"""``topology = flatfly``: k^n routers, each linked to all that differ in one digit, and their routing.

Endpoints stand in the plane, in blocks of xr times yr around the routers, which form x columns and y rows; a
link is as long as its routers are apart, in endpoints.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topoctl.simulation.booksim.configuration import Configuration
from topoctl.simulation.booksim.mesh_and_torus import (
    BY_COIN,
    BY_QUEUE,
    THROUGH_ENDPOINT,
    two_legs,
    two_orders,
)
from topoctl.simulation.booksim.routes import (
    MOST_ROUTERS,
    Fields,
    Ints,
    Option,
    Sets,
    Wiring,
    halves,
    one_port,
    routing_fields,
)

THROUGH_DIFFERING_DIGITS = 2
BIAS = (1, 1, 1, 2)
"""Of the choice of ``ugal``: queues times links of the whole way, and two more for the detour."""
NEAR = 3
"""Endpoints of a wider block are more than a cycle away from their router."""


def flattened_butterfly(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Build a flattened butterfly and its routing.

    Raises:
        FormatError: numbers that do not fit together, or a routing that is not simulated, or needs more
            virtual channels.
    """
    routings: dict[str, Callable[[Configuration, Grid], Fields]] = {
        "ran_min": lambda given, grid: one_port(grid.ports(), given.whole("num_vcs", 1)),
        "xyyx": lambda given, grid: _xyyx(given, grid, BY_COIN),
        "adaptive_xyyx": lambda given, grid: _xyyx(given, grid, BY_QUEUE),
        "valiant": _valiant,
        "ugal": _ugal,
        "ugal_xyyx": _ugal_xyyx,
    }
    grid = Grid(configuration)
    routing = routings[configuration.chosen("routing_function", [*routings])]
    return grid.wiring(configuration), routing(configuration, grid)


class Grid:
    """The numbers of a flattened butterfly.

    Attributes:
        k: routers that differ in a digit, and itself.
        n: digits.
        c: endpoints of a router, `width` in a row.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.k, self.n = configuration.whole("k", 2), configuration.whole("n", 1, 4)
        self.c, self.width = configuration.whole("c", 1), configuration.whole("xr", 1)
        self.columns = configuration.whole("x", 1)
        self.order = self.k**self.n
        if self.order > MOST_ROUTERS:
            raise configuration.fault("k", f"{self.k}^{self.n} routers: expected at most {MOST_ROUTERS}")
        for key, wanted in (("y", self.columns), ("yr", self.width)):
            if configuration.whole(key) != wanted:
                raise configuration.fault(key, f"expected {wanted}, as many as {key.replace('y', 'x')}")
        if self.columns**2 != self.order:
            raise configuration.fault("x", f"expected x = y, and x * y = k^n = {self.order} routers")
        if self.width**2 != self.c:
            raise configuration.fault("c", f"expected xr * yr = {self.width**2}")
        self.digits = np.arange(self.order)[:, None] // self.k ** np.arange(self.n) % self.k

    def wiring(self, configuration: Configuration) -> Wiring:
        """Return what is connected: output ports by dimension, input ports by the router that sends."""
        measured = configuration.whole("use_noc_latency") == 1
        if measured and self.width > NEAR:
            raise configuration.fault("xr", f"expected at most {NEAR}, or use_noc_latency = 0")
        ports = self.c + (self.k - 1) * self.n
        ends = np.full((self.order, ports), -1, dtype=np.int32)
        delays = np.ones_like(ends)
        entries = np.zeros(self.order * self.c, dtype=np.int32)
        filled = [self.c] * self.order
        for router in range(self.order):
            row, column = divmod(router, self.columns)
            for place in range(self.c):
                y, x = row * self.width + place // self.width, column * self.width + place % self.width
                node = self.columns * self.width * y + x
                ends[router, place] = -2 - node
                entries[node] = router * ports + place
            for port, other in enumerate(self._neighbors(router), start=self.c):
                ends[router, port] = other * ports + filled[other]
                filled[other] += 1
                if measured:
                    apart = abs(router % self.columns - other % self.columns)
                    apart += abs(router // self.columns - other // self.columns)
                    delays[router, port] = self.width * apart
        return Wiring(ends, delays, entries)

    def _neighbors(self, router: int) -> list[int]:
        powers = [self.k**dimension for dimension in range(self.n)]
        own = [router - router // power % self.k * power for power in powers]
        every = [
            low + digit * power for low, power in zip(own, powers, strict=True) for digit in range(self.k)
        ]
        return [other for other in every if other != router]

    def ports(self, *, last_first: bool = False) -> Ints:
        """Return the port to the target in the first digit in which it differs, or in the last."""
        ports = np.zeros((self.order, self.order), dtype=np.int64)
        for dimension in range(self.n) if last_first else reversed(range(self.n)):
            here, there = np.ix_(self.digits[:, dimension], self.digits[:, dimension])
            port = self.c + (self.k - 1) * dimension + there - (there > here)
            ports = np.where(here == there, ports, port)
        return ports

    def ugal(self) -> Fields:
        """Return the fields of the choice of a way by the queues at the source."""
        links = (self.digits[:, None] != self.digits[None]).sum(axis=2)
        return {
            "way": 2,
            "through": THROUGH_DIFFERING_DIGITS,
            "radices": np.full(self.n, self.k, dtype=np.int32),
            "distances": links.astype(np.uint8),
            "bias": np.array(BIAS, dtype=np.int64),
        }


def _xyyx(configuration: Configuration, grid: Grid, choice: int) -> Fields:
    return two_orders(grid.ports(), grid.ports(last_first=True), configuration.whole("num_vcs", 2), choice)


def _valiant(configuration: Configuration, grid: Grid) -> Fields:
    """By way of a random endpoint's router, or that of the destination where it lies on the way there."""
    more = {"way": 1, "through": THROUGH_ENDPOINT, "early": 1}
    return two_legs(grid.ports(), configuration.whole("num_vcs", 2), more)


def _ugal(configuration: Configuration, grid: Grid) -> Fields:
    return two_legs(grid.ports(), configuration.whole("num_vcs", 2), grid.ugal())


def _ugal_xyyx(configuration: Configuration, grid: Grid) -> Fields:
    """The same, in either of two orders of dimensions, drawn at the source and read off the channel later."""
    channels = configuration.whole("num_vcs", 4)
    sets, orders = Sets(), (grid.ports(), grid.ports(last_first=True))
    width = 1 + int(max(order.max() for order in orders))
    quarter = channels // 4
    low_high = halves((0, channels - 1))
    # By leg, then order of dimensions.
    parts = [
        [(first, last - quarter) for first, last in low_high],
        [(first + quarter, last) for first, last in low_high],
    ]

    def option(port: int, leg: int, order: int) -> Option:
        return Option(port, *parts[leg][order], 3 + 2 * leg, channels // 2, 2 + 2 * leg)

    def either(leg: int) -> Ints:
        pairs = orders[0] * width + orders[1]
        return sets.numbers(pairs, lambda pair: (option(pair // width, leg, 0), option(pair % width, leg, 1)))

    def one(leg: int, order: int) -> Ints:
        return sets.numbers(orders[order], lambda port: (option(port, leg, order),))

    # Those that may still choose, straight and not, then by leg and order.
    tables = [either(1), either(0), one(0, 0), one(0, 1), one(1, 0), one(1, 1)]
    every = [(0, channels - 1)] * len(tables)
    turn = [0, 0, 4, 5, 4, 5]
    return routing_fields(sets, tables, every, channels, grid.ugal(), start=(0, 1), turn=turn)
