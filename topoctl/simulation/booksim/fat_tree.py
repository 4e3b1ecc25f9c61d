"""``topology = fattree``: the k-ary n-tree, n levels of k^(n-1) routers, with BookSim's routing up and down.

The first level is the top, where routers have no links up; the last has the endpoints. Ports below k lead
down.
"""

from __future__ import annotations

import numpy as np

from topoctl.simulation.booksim.configuration import Configuration
from topoctl.simulation.booksim.routes import (
    MOST_ROUTERS,
    Fields,
    Ints,
    Option,
    Sets,
    Wiring,
    routing_fields,
)

CHOICES = {"nca": 0, "anca": 2}
"""Up by a draw, or by two draws to the emptier port of the two."""


def fat_tree(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Build a k-ary n-tree and its routing: up to the nearest common ancestor, and down.

    Raises:
        FormatError: too large, or a routing that is not simulated.
    """
    k, n = configuration.whole("k", 2), configuration.whole("n", 1, 16)
    if n * k ** (n - 1) > MOST_ROUTERS:
        raise configuration.fault("k", f"{n} * {k}^{n - 1} routers: expected at most {MOST_ROUTERS}")
    choice = CHOICES[configuration.chosen("routing_function", [*CHOICES])]
    channels = configuration.whole("num_vcs", 1)
    sets = Sets()
    ups = tuple(Option(k + port, 0, channels - 1) for port in range(k))
    table = sets.numbers(_ports(k, n), lambda port: ups if port == k else (Option(port, 0, channels - 1),))
    return _wiring(k, n), routing_fields(sets, [table], [(0, channels - 1)], channels, choice=[choice])


def _wiring(k: int, n: int) -> Wiring:
    level_size, ports = k ** (n - 1), 2 * k
    ends = np.full((n * level_size, ports), -1, dtype=np.int32)
    for level in range(1, n):
        # Below a router of the level above there are `branch` routers by each of its ports.
        branch = k ** (n - 1 - level)
        for place in range(level_size):
            region, within = divmod(place, branch * k)
            low = level * level_size + place
            for port in range(k):
                high = (level - 1) * level_size + region * branch * k + port * branch + within % branch
                down = within // branch
                ends[high, down] = low * ports + k + port
                ends[low, k + port] = high * ports + down
    leaves = (n - 1) * level_size
    endpoints = np.arange(k**n)
    ends[leaves + endpoints // k, endpoints % k] = -2 - endpoints
    entries = (leaves + endpoints // k) * ports + endpoints % k
    return Wiring(ends, np.ones_like(ends), entries.astype(np.int32))


def _ports(k: int, n: int) -> Ints:
    """The port of every router down to every leaf below it; k where it lies elsewhere."""
    level_size = k ** (n - 1)
    ports = np.full((n * level_size, n * level_size), k)
    places = np.arange(level_size)
    for level in range(n - 1):
        region = k ** (n - 1 - level)
        below = places[:, None] // region == places // region
        down = np.broadcast_to(places % region // (region // k), below.shape)
        rows = slice(level * level_size, (level + 1) * level_size)
        ports[rows, (n - 1) * level_size :] = np.where(below, down, k)
    return ports
