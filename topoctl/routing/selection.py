"""The routings and the traffic that words ask for, of a network."""

from __future__ import annotations

from collections.abc import Callable

from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS, routing_named
from topoctl.routing.patterns import PATTERNS, patterns_in, traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.tables import is_table, routing_of_file
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology

ALL, NONE = "all", "none"
LeftOut = Callable[[str], None]


def ignore(_: str) -> None:
    """Say nothing of what is left out."""


def routings_asked(topology: Topology, text: str, leave_out: LeftOut = ignore) -> tuple[Routing, ...]:
    """Routings by their names, tables in files, or all that route a network.

    Args:
        topology: that is routed.
        text: names and files separated by commas, or all.
        leave_out: told, in a line, those of all that do not route it.

    Raises:
        InvalidParameters: an unknown name, or one that does not route it.
        FormatError: a file without tables, or with those that do not lead every packet to its destination.
    """
    refuse_what_none_routes(topology)
    if text.strip().casefold() == ALL:
        return those_that_route(topology, leave_out)
    words = [word.strip() for word in text.split(",")]
    named = tuple(
        routing_of_file(topology, word) if is_table(word) else routing_named(word) for word in words
    )
    for routing in named:
        routing.needs(topology)
    return named


def refuse_what_none_routes(topology: Topology) -> None:
    """Raise InvalidParameters for a single router, or routers that cannot reach each other."""
    sizes = topology.graph.component_sizes()
    if len(sizes) > 1:
        raise InvalidParameters(
            f"a disconnected network of {len(sizes)} parts, the largest of {max(sizes)} routers: expected a "
            "connected one"
        )
    if topology.graph.order < 2:
        raise InvalidParameters("a single router has nowhere to route to: expected two routers or more")


def those_that_route(topology: Topology, leave_out: LeftOut) -> tuple[Routing, ...]:
    """All that route a network."""
    found, others = [], []
    for routing in ROUTINGS.values():
        try:
            routing.needs(topology)
        except InvalidParameters:
            others.append(routing.name)
        else:
            found.append(routing)
    if others:
        leave_out(f"left out (--routing NAME says why): {', '.join(others)}")
    return tuple(found)


def patterns_asked(
    topology: Topology, text: str, seed: int, leave_out: LeftOut = ignore
) -> tuple[Traffic, ...]:
    """Patterns of traffic by their names, or all that a network has endpoints for.

    Args:
        topology: that it is sent over.
        text: patterns or files separated by commas, or all.
        seed: of those that are drawn.
        leave_out: told, in a line, each of all that cannot be sent over it.

    Raises:
        InvalidParameters: an unknown name, or one that is not for this network.
        FormatError: a file that holds no matrix for it.
    """
    return tuple(named_patterns(topology, text, seed, leave_out).values())


def named_patterns(
    topology: Topology, text: str, seed: int, leave_out: LeftOut = ignore
) -> dict[str, Traffic]:
    """Return the same by the words that ask for each."""
    if text.strip().casefold() != ALL:
        return {one: traffic_named(topology, one, seed) for one in patterns_in(text)}
    found = {}
    for name in PATTERNS:
        try:
            found[name] = traffic_named(topology, name, seed)
        except InvalidParameters as error:
            leave_out(f"{name} left out: {error}")
    return found
