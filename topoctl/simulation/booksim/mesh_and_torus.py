"""``topology = mesh`` and ``torus``: k^n routers with an endpoint each, and what BookSim routes on them.

Router r has in dimension d the coordinate ``r // k**d % k``; its ports 2d lead up, its ports 2d + 1 down, and
its port 2n to its endpoint.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topoctl.simulation.booksim.configuration import Configuration
from topoctl.simulation.booksim.routes import (
    MOST_PLACES,
    MOST_ROUTERS,
    Fields,
    Ints,
    Option,
    Range,
    Sets,
    Wiring,
    halves,
    one_port,
    ports_in,
    routing_fields,
)

THROUGH_ENDPOINT, THROUGH_BOX = 0, 3
MOST_DIMENSIONS = 7
"""A phase remembers dimension, direction and part of a ring, twice where there are two legs."""


def mesh(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Build a mesh and its routing.

    Raises:
        FormatError: too large, or a routing that is not simulated, or needs more virtual channels.
    """
    routings: dict[str, Routing] = {
        **{
            "dim_order": _dim_order,
            "dor": _dim_order,
            "min_adapt": _min_adapt,
            "planar_adapt": _planar_adapt,
        },
        **{"xy_yx": _xy_yx(BY_COIN), "adaptive_xy_yx": _xy_yx(BY_QUEUE)},
        **{"valiant": _by_way_of(THROUGH_ENDPOINT), "romm": _by_way_of(THROUGH_BOX)},
    }
    return _grid(configuration, False, routings)


def torus(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Build a torus and its routing; its links have a latency of 2.

    BookSim stops at once where a torus is routed by ``valiant``, as it forgets which part of its virtual
    channels a packet is in; here packets keep it.

    Raises:
        FormatError: too large, or a routing that is not simulated, or needs more virtual channels.
    """
    routings: dict[str, Routing] = {
        "dim_order": _around(balanced=False),
        "dim_order_bal": _around(balanced=True),
        "valiant": _valiant_around,
        "min_adapt": _min_adapt_around,
    }
    return _grid(configuration, True, routings)


Routing = Callable[[Configuration, int, int], Fields]
"""From a configuration, k and n."""
BY_COIN, BY_QUEUE = 0, 1


def _grid(configuration: Configuration, ring: bool, routings: dict[str, Routing]) -> tuple[Wiring, Fields]:
    n = configuration.whole("n", 1, MOST_DIMENSIONS)
    k = configuration.whole("k", 2)
    if k**n > MOST_ROUTERS:
        raise configuration.fault("k", f"{k}^{n} routers: expected at most {MOST_ROUTERS}")
    legs = 1 + (configuration.values["routing_function"] == "valiant")
    if ring and legs * (1 + 4 * n) * k ** (2 * n) > MOST_PLACES:
        raise configuration.fault("n", f"{k}^{n} routers; expected fewer of so many dimensions")
    routing = routings[configuration.chosen("routing_function", [*routings])]
    latency = 2 if ring and configuration.whole("use_noc_latency") == 1 else 1
    return _wiring(k, n, ring, latency), routing(configuration, k, n)


def _wiring(k: int, n: int, ring: bool, latency: int) -> Wiring:
    order, ports = k**n, 2 * n + 1
    routers = np.arange(order)
    ends = np.full((order, ports), -1, dtype=np.int32)
    for dimension in range(n):
        step = k**dimension
        here = routers // step % k
        for port, way, back in (
            (2 * dimension, 1, 2 * dimension + 1),
            (2 * dimension + 1, -1, 2 * dimension),
        ):
            there = routers + ((here + way) % k - here) * step
            has = ring | ((here + way >= 0) & (here + way < k))
            ends[:, port] = np.where(has, there * ports + back, -1)
    ends[:, 2 * n] = -2 - routers
    return Wiring(
        ends, np.where(ends >= 0, latency, 1).astype(np.int32), (routers * ports + 2 * n).astype(np.int32)
    )


# ---- meshes


def _dimension_order(k: int, n: int, *, last_first: bool = False) -> Ints:
    """The port to the target in the first dimension in which it differs, or in the last."""
    routers = np.arange(k**n)
    ports = np.full((k**n, k**n), 2 * n)
    for dimension in range(n) if last_first else reversed(range(n)):
        here, there = np.ix_(routers // k**dimension % k, routers // k**dimension % k)
        ports = np.where(here == there, ports, 2 * dimension + (there < here))
    return ports


def _channels(configuration: Configuration, least: int = 1) -> int:
    return configuration.whole("num_vcs", least)


def _dim_order(configuration: Configuration, k: int, n: int) -> Fields:
    return one_port(_dimension_order(k, n), _channels(configuration))


def _min_adapt(configuration: Configuration, k: int, n: int) -> Fields:
    """Dimension order: of several alternatives BookSim keeps one. Packets never leave channel 0."""
    channels = _channels(configuration, 2)
    sets, ports = Sets(), _dimension_order(k, n)
    adaptive = sets.numbers(ports, lambda port: (Option(port, 0, channels - 1, 0, 1, 1),))
    escape = sets.numbers(ports, lambda port: (Option(port, 0, 0, 1),))
    return routing_fields(sets, [adaptive, escape], [(0, channels - 1)] * 2, channels)


def _planar_adapt(configuration: Configuration, k: int, n: int) -> Fields:
    """Dimension order in the last third of the channels: of several alternatives BookSim keeps one."""
    channels = _channels(configuration)
    sets = Sets()
    first = channels // 3 * 2
    table = sets.numbers(_dimension_order(k, n), lambda port: (Option(port, first, channels - 1),))
    return routing_fields(sets, [table], [(0, channels - 1)], channels)


def _xy_yx(choice: int) -> Routing:
    """The first or the last dimension first: chosen at the source, then read off the virtual channel."""

    def routing(configuration: Configuration, k: int, n: int) -> Fields:
        first_last = _dimension_order(k, n), _dimension_order(k, n, last_first=True)
        return two_orders(*first_last, _channels(configuration, 2), choice)

    return routing


def two_orders(one: Ints, other: Ints, channels: int, choice: int) -> Fields:
    """Return the fields of the routing by either of two orders of dimensions.

    Args:
        one: ports by router and target in an order that takes the lower half of the virtual channels.
        other: those in one that takes the upper half.
        channels: of every port.
        choice: how the source chooses: 0 by a coin, 1 by queues.
    """
    low, high = halves((0, channels - 1))
    width = 1 + int(max(one.max(), other.max()))

    def option(port: int, within: Range) -> Option:
        return Option(port, *within, 2, channels // 2, 1)

    sets = Sets()
    both = sets.numbers(
        one * width + other, lambda pair: (option(pair // width, low), option(pair % width, high))
    )
    tables = [both, sets.numbers(one, lambda port: (option(port, low),))]
    tables.append(sets.numbers(other, lambda port: (option(port, high),)))
    return routing_fields(sets, tables, [(0, channels - 1)] * 3, channels, choice=[choice, 0, 0])


def _by_way_of(through: int) -> Routing:
    """By way of an intermediate router: up to it in the lower half of the channels, then in the upper one."""

    def routing(configuration: Configuration, k: int, n: int) -> Fields:
        more = {"way": 1, "through": through, "radices": np.full(n, k, dtype=np.int32)}
        return two_legs(_dimension_order(k, n), _channels(configuration, 2), more)

    return routing


def two_legs(ports: Ints, channels: int, more: Fields) -> Fields:
    """Return the fields of the routing in two legs, the first in the lower half of the channels.

    Args:
        ports: by router and target.
        channels: of every port.
        more: fields that tell how the intermediate router is found.
    """
    sets = Sets()
    tables = [ports_in(sets, ports, half, leg) for leg, half in enumerate(halves((0, channels - 1)))]
    every = [(0, channels - 1)] * 2
    return routing_fields(sets, tables, every, channels, more, start=(1, 0), turn=[1, 1])


# ---- tori


def _around(*, balanced: bool) -> Routing:
    def routing(configuration: Configuration, k: int, n: int) -> Fields:
        channels = _channels(configuration, 2)
        sets = Sets()
        tables = _ring_tables(sets, k, n, list(halves((0, channels - 1))), 0, balanced=balanced)
        return routing_fields(sets, tables, [(0, channels - 1)] * len(tables), channels)

    return routing


def _valiant_around(configuration: Configuration, k: int, n: int) -> Fields:
    """By way of a random router: to it in the lower half of a part of the ring, then in the upper one."""
    channels = _channels(configuration, 4)
    parts, quarter = halves((0, channels - 1)), channels // 4
    legs = (
        [(first, last - quarter) for first, last in parts],
        [(first + quarter, last) for first, last in parts],
    )
    sets = Sets()
    tables: list[Ints] = []
    for leg_parts in legs:
        tables += _ring_tables(sets, k, n, leg_parts, len(tables))
    leg = len(tables) // 2
    every = [(0, channels - 1)] * len(tables)
    more = {"way": 1, "through": THROUGH_ENDPOINT}
    return routing_fields(sets, tables, every, channels, more, start=(leg, 0), turn=[leg] * len(tables))


ADAPTIVE, ESCAPES = 3, [(0, 0), (1, 1)]
"""Virtual channels of `min_adapt`."""


def _min_adapt_around(configuration: Configuration, k: int, n: int) -> Fields:
    """In channel 3 in the first dimension that is left, of several alternatives; or dimension order for good.

    That is in channels 0 and 1, as of a packet that begins here, and begins where both ways are as long in
    either, but channel 3 leads down.
    """
    channels = _channels(configuration, ADAPTIVE + 1)
    sets = Sets()

    def adaptive(case: int) -> tuple[Option, ...]:
        dimension, one, other = case // k // k, case // k % k, case % k
        ways = _directions(k, one, other)
        port = 2 * dimension + ways[-1]
        return tuple(
            Option(port, ADAPTIVE, ADAPTIVE, 0, 2, _phase(dimension, way, part), 2 * dimension + way, part)
            for way in ways
            for part in _parts(k, one, other, way, False)
            if dimension < n
        ) or (Option(2 * n, ADAPTIVE, ADAPTIVE),)

    tables = _ring_tables(sets, k, n, ESCAPES, 0)
    tables[0] = sets.numbers(_ring_cases(k, n)[1], adaptive)
    return routing_fields(sets, tables, [(0, channels - 1)] * len(tables), channels)


UP, DOWN = 0, 1


def _ring_tables(
    sets: Sets, k: int, n: int, parts: list[Range], base: int, *, balanced: bool = False
) -> list[Ints]:
    """The tables of dimension order in rings, for all that a packet may remember.

    The first phase is that of packets that are about to enter a dimension: they choose a direction, the
    shorter one or either, and one of two parts of the virtual channels. Then come those of packets that move
    in dimension d, in a direction, in a part, which they keep: at ``1 + 4 d + 2 direction + part``, all from
    `base` on.
    """

    def option(dimension: int, direction: int, part: int) -> Option:
        return Option(2 * dimension + direction, *parts[part], base + _phase(dimension, direction, part))

    def entering(case: int) -> tuple[Option, ...]:
        dimension, one, other = case // k // k, case // k % k, case % k
        if dimension == n:
            return (Option(2 * n, *parts[0], base),)  # never asked for: the target is here
        return tuple(
            option(dimension, direction, part)
            for direction in _directions(k, one, other)
            for part in _parts(k, one, other, direction, balanced)
        )

    dimensions, cases = _ring_cases(k, n)
    fresh = sets.numbers(cases, entering)
    tables = [fresh]
    for dimension in range(n):
        for direction in (UP, DOWN):
            for part in (0, 1):
                same = sets.number(option(dimension, direction, part))
                tables.append(np.where(dimensions == dimension, same, fresh))
    return tables


def _ring_cases(k: int, n: int) -> tuple[Ints, Ints]:
    """The first dimension that is left, and a number for it and the coordinates in it of both routers."""
    routers = np.arange(k**n)
    dimensions = np.full((k**n, k**n), n)
    here, there = np.zeros_like(dimensions), np.zeros_like(dimensions)
    for dimension in reversed(range(n)):
        one, other = np.ix_(routers // k**dimension % k, routers // k**dimension % k)
        left = one != other
        dimensions[left] = dimension
        here = np.where(left, one, here)
        there = np.where(left, other, there)
    return dimensions, (dimensions * k + here) * k + there


def _phase(dimension: int, direction: int, part: int) -> int:
    return 1 + 4 * dimension + 2 * direction + part


def _directions(k: int, one: int, other: int) -> tuple[int, ...]:
    """The shorter way around a ring, or both."""
    twice = k - 2 * ((other - one) % k)
    return (UP, DOWN) if twice == 0 else (UP,) if twice > 0 else (DOWN,)


def _parts(k: int, one: int, other: int, direction: int, balanced: bool) -> tuple[int, ...]:
    """The parts of the virtual channels that a packet may take along a ring, both as likely."""
    if not balanced:
        return (int(other < one),)
    middle = (k - 1) // 2
    if (one > other) if direction == UP else (one < other):
        return (1,)
    crosses = one <= middle < other if direction == UP else other <= middle < one
    return (0,) if crosses else (0, 1)
