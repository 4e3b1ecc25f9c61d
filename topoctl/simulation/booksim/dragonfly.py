"""``topology = dragonflynew``: groups of 2k routers with k endpoints and k links to other groups each.

Output ports are first those of the endpoints, then those to the other routers of the group, then those to
other groups, whose links are the longest. Sources draw the virtual channel of a packet anew in every cycle.
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

LOCAL_LATENCY, GLOBAL_LATENCY = 10, 100
BIAS = (0, 1, 2, 30)
"""Of the choice of ``ugal``: the queue, twice that of the detour and 30 more."""


def dragonfly(configuration: Configuration) -> tuple[Wiring, Fields]:
    """Build a Dragonfly and its routing.

    Raises:
        FormatError: too large, or a routing that is not simulated, or wants other virtual channels.
    """
    configuration.whole("n", 1, 1)
    p = configuration.whole("k", 1)
    order = 2 * p * (2 * p * p + 1)
    if order > MOST_ROUTERS:
        raise configuration.fault("k", f"{order} routers: expected at most {MOST_ROUTERS}")
    ports = _minimal_ports(p)
    if configuration.chosen("routing_function", ["min", "ugal"]) == "min":
        return _wiring(p), _minimal(configuration, p, ports)
    return _wiring(p), _ugal(configuration, p, ports)


def _wiring(p: int) -> Wiring:
    a, groups = 2 * p, 2 * p * p + 1
    order, ports = a * groups, 4 * p - 1
    ends = np.full((order, ports), -1, dtype=np.int32)
    delays = np.ones_like(ends)
    for router in range(order):
        group, place = divmod(router, a)
        for endpoint in range(p):
            ends[router, endpoint] = -2 - (router * p + endpoint)
        for port in range(a - 1):
            other = port + (port >= place)
            ends[router, p + port] = (group * a + other) * ports + p + place - (place > other)
            delays[router, p + port] = LOCAL_LATENCY
        for port in range(p):
            link = place * p + port
            there = link + (link >= group)
            back = group - (group > there)
            ends[router, p + a - 1 + port] = (there * a + back // p) * ports + p + a - 1 + back % p
            delays[router, p + a - 1 + port] = GLOBAL_LATENCY
    entries = np.arange(order * p) // p * ports + np.arange(order * p) % p
    return Wiring(ends, delays, entries.astype(np.int32))


def _minimal_ports(p: int) -> Ints:
    """The port of every router towards every other: to its group by the one link there is, then to itself."""
    a = 2 * p
    routers = np.arange(a * (2 * p * p + 1))
    here, there = np.ix_(routers, routers)
    link = there // a - (there // a > here // a)
    within = np.where(here // a == there // a, there % a, link // p)  # the router of the group to go to
    local = p + within - (within > here % a)
    return np.where((within == here % a) & (here // a != there // a), p + a - 1 + link % p, local)


def _minimal(configuration: Configuration, p: int, ports: Ints) -> Fields:
    """In virtual channel 0, from the link to the other group on in 1."""
    channels = configuration.whole("num_vcs", 2)
    sets = Sets()
    tables = [sets.numbers(ports, lambda port: (_option(port, p, 0),))]
    tables.append(sets.numbers(ports, lambda port: (Option(port, 1, 1, 1),)))
    return routing_fields(sets, tables, [(0, 0), (1, 1)], channels, {"entry_drawn": 1})


def _option(port: int, p: int, phase: int) -> Option:
    """A hop in the virtual channel of a phase, or of the next one if it leads to another group."""
    after = phase + (port >= 3 * p - 1)
    return Option(port, after, after, after)


def _ugal(configuration: Configuration, p: int, ports: Ints) -> Fields:
    """Minimal, or by way of a random endpoint's router, if that and the destination are in other groups.

    Virtual channel 0 leads to the intermediate router, 1 on from there (or from the source) and 2 from the
    link to the destination's group on; packets within a group have channel 2.
    """
    channels = configuration.whole("num_vcs", 3, 3)
    sets = Sets()
    routers = np.arange(len(ports)) // (2 * p)
    there = sets.numbers(ports, lambda port: (Option(port, 0, 0, 0),))
    onwards = sets.numbers(ports, lambda port: (_option(port, p, 1),))
    arrived = sets.numbers(ports, lambda port: (Option(port, 2, 2, 2),))
    straight = np.where(routers[:, None] == routers, arrived, onwards)
    tables, arrival = [there, onwards, arrived, straight], [(0, 0), (1, 1), (2, 2), (2, 2)]
    more: Fields = {
        **{"entry_drawn": 1, "way": 2, "through": 0, "groups": routers.astype(np.int32)},
        **{"bias": np.array(BIAS, dtype=np.int64), "distances": np.zeros(ports.shape, dtype=np.uint8)},
    }
    return routing_fields(sets, tables, arrival, channels, more, start=(3, 0), turn=[1, 1, 2, 3])
