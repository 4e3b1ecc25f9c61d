"""Whether packets of a plan may wait for each other in a circle: by all that its tables let them do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from topoctl.analysis.cycles import shortest_cycle
from topoctl.kernels.simulation import Plan

STRAIGHT, DETOUR = 0, 1
MOST_STATES = 2 * 10**6
"""Phases at routers towards routers that are looked at, which takes some seconds."""

Channel = tuple[int, int, int]
"""Virtual channel, router, next router."""
State = tuple[int, int, int | None]
"""Phase, router, and the channel that a packet came by, if it came from a router."""
Hop = tuple[int, int, int]
"""Output port by its number in the network, virtual channel, phase after it."""


def circle_of(plan: Plan) -> tuple[Channel, ...] | None:
    """Find channels whose packets may wait for the next one's in a circle; None where there are none.

    A channel depends on another where a packet that holds it may ask for the other next (Dally and Seitz,
    1987). For plans without classes of virtual channels, and without escape channels, whose circles do no
    harm.

    Raises:
        ValueError: the plan is too large to look through.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.channels import Channels
        >>> from topoctl.routing.traffic import uniform
        >>> from topoctl.simulation.plans import simulated
        >>> from topoctl.simulation.routers import Routers
        >>> ring, routing = topology_from_spec("torus(dims=5,p=1)"), ROUTINGS["lowest"]
        >>> unproven, routers = Channels("one", 1, None), Routers(width=1)
        >>> network = simulated(ring, routing, routing.routes(ring), unproven, routers)
        >>> circle_of(network.plan(network.sending(uniform(ring)), 0.5, seed=1))
        ((0, 0, 1), (0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 0))
    """
    if len(plan.choice) * len(plan.ends) ** 2 > MOST_STATES:
        raise ValueError("too many states")
    ports, width = plan.ends.shape[1], plan.channels
    pairs = np.array(sorted(set(_dependencies(plan))), dtype=np.int64).reshape(-1, 2)
    circle = shortest_cycle(pairs[:, 0], pairs[:, 1], plan.ends.size * width)
    if circle is None:
        return None
    ends = plan.ends.ravel()
    return tuple(
        (channel % width, channel // width // ports, int(ends[channel // width]) // ports)
        for channel in circle
    )


def _dependencies(plan: Plan) -> Iterator[tuple[int, int]]:
    """Yield pairs of channels, by number, of which packets may hold the first and ask for the second."""
    homes = np.unique(plan.entries // plan.ends.shape[1]).tolist()
    routers = range(len(plan.ends))
    turned: set[State] = set()
    if plan.way != STRAIGHT:
        for target in routers:
            yield from _toward(plan, target, [(int(plan.start[1]), router, None) for router in homes], turned)
    started: set[State] = (
        {(int(plan.start[0]), router, None) for router in homes} if plan.way != DETOUR else set()
    )
    for target in homes:
        yield from _toward(plan, target, {*started, *turned}, set())


def _toward(
    plan: Plan,
    target: int,
    begun: Iterable[State],
    turned: set[State],
) -> Iterator[tuple[int, int]]:
    """Follow packets to a router, from phases at routers with the channels that they came by."""
    waiting, seen = [*begun], set(begun)
    while waiting:
        phase, router, channel = waiting.pop()
        if router == target:
            if channel is not None:
                turned.add((int(plan.turn[phase]), router, channel))
            continue
        for port, virtual, after in _hops(plan, phase, router, target):
            taken = port * plan.channels + virtual
            if channel is not None:
                yield channel, taken
            state = (after, int(plan.ends.ravel()[port]) // plan.ends.shape[1], taken)
            if state not in seen:
                seen.add(state)
                waiting.append(state)


def _hops(plan: Plan, phase: int, router: int, target: int) -> Iterator[Hop]:
    """Yield what a packet may do next."""
    options, _ = plan.options_at(phase, router, target)
    for option in options:
        port, first, last, above, below, phase_below, _ = option
        for virtual in range(first, last + 1):
            yield router * plan.ends.shape[1] + port, virtual, phase_below if virtual < below else above
