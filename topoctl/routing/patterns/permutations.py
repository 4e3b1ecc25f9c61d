"""Patterns in which every endpoint sends to one other, or to two: by its number, or at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from topoctl.families.record import Parameter, Parameters
from topoctl.routing.patterns.record import Endpoints, Pattern, needs_endpoints
from topoctl.routing.traffic import Traffic, between_routers
from topoctl.topology import Topology, require_listable, routers_of_endpoints

DALLY = "Dally and Towles, Principles and Practices of Interconnection Networks (2004), 3.2"
SLIM_FLY = "Besta and Hoefler, SC14, V-B"
BOOKSIM = (
    "Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator, ISPASS 2013 (BookSim)"
)

OfBits = Callable[[Endpoints, int], Endpoints]
OfNumbers = Callable[[Endpoints, int], Endpoints]


def _needs_endpoints(topology: Topology, least: int = 2, name: str = "") -> None:
    """Raise InvalidParameters where endpoints are too few, or too many to look at one by one."""
    needs_endpoints(topology, least, name)
    require_listable(topology.endpoints)


def _endpoint_traffic(
    topology: Topology,
    name: str,
    sources: Endpoints,
    targets: Endpoints,
    note: str | None = None,
    bits: int | None = None,
) -> Traffic:
    """Return the traffic from sources to targets at the same places; targets of a source share evenly."""
    routers = routers_of_endpoints(topology.endpoints_per_router)
    flits = 1 / np.bincount(sources)[sources]
    sent = between_routers(
        name, topology.graph.order, routers[sources], routers[targets], flits, note=note, bits=bits
    )
    return replace(sent, pairs=lambda: (sources, targets, flits))


def _of_bits(name: str, title: str, images: OfBits, source: str = DALLY, *, even: bool = False) -> Pattern:
    """A pattern in which the bits of a source's number make up its target's.

    It works on the first 2^b endpoints, the largest such number that the network has; all others are idle.

    Args:
        name: of the pattern.
        title: who sends to whom.
        images: the targets of sources of b bits.
        source: where it is defined.
        even: only an even b will do.
    """

    def traffic(topology: Topology, _: Parameters) -> Traffic:
        bits = topology.endpoints.bit_length() - 1
        bits -= bits % 2 if even else 0
        sources = np.arange(2**bits)
        idle = topology.endpoints - 2**bits
        note = (
            f"{name}: the first {2**bits} (2^{bits}) of {topology.endpoints} endpoints send" if idle else None
        )
        return _endpoint_traffic(topology, name, sources, images(sources, bits), note, bits)

    needs = (lambda topology: _needs_endpoints(topology, 4, name)) if even else _needs_endpoints
    return Pattern(name, title, source, traffic, needs)


def _of_numbers(name: str, title: str, images: OfNumbers, source: str = DALLY) -> Pattern:
    """A pattern in which all T endpoints send, each to the one that follows from its number and T."""

    def traffic(topology: Topology, _: Parameters) -> Traffic:
        sources = np.arange(topology.endpoints)
        return _endpoint_traffic(
            topology, name, sources, images(sources, topology.endpoints) % topology.endpoints
        )

    return Pattern(name, title, source, traffic, _needs_endpoints)


def _reversed_bits(sources: Endpoints, bits: int) -> Endpoints:
    """The numbers with their bits in reverse."""
    turned = np.zeros_like(sources)
    for place in range(bits):
        turned |= (sources >> place & 1) << (bits - 1 - place)
    return turned


def _turned_left(sources: Endpoints, bits: int, by: int = 1) -> Endpoints:
    """The numbers with their bits rotated to the left.

    Example:
        >>> _turned_left(np.array([4, 3]), bits=3).tolist()
        [1, 6]
    """
    turned: Endpoints = (sources << by | sources >> (bits - by)) & (2**bits - 1)
    return turned


def _shifted(topology: Topology, _: Parameters) -> Traffic:
    """Every endpoint sends half to either endpoint of the same number in the two halves."""
    half = topology.endpoints // 2
    sources = np.arange(2 * half)
    targets = [sources % half, sources % half + half]
    note = "shift: the last endpoint is idle" if topology.endpoints % 2 else None
    return _endpoint_traffic(topology, "shift", np.tile(sources, 2), np.concatenate(targets), note)


def _at_random(topology: Topology, given: Parameters) -> Traffic:
    """Every endpoint sends to one other, by a permutation drawn from all."""
    seed = int(given["seed"])  # type: ignore[arg-type]
    words = np.random.PCG64(seed).random_raw(topology.endpoints)
    targets = np.argsort(words, kind="stable")
    return _endpoint_traffic(topology, f"permutation(seed={seed})", np.arange(topology.endpoints), targets)


BIT_COMPLEMENT = _of_bits(
    "bitcomp", "to the number with all bits inverted", lambda sources, bits: sources ^ (2**bits - 1)
)
BIT_REVERSE = _of_bits("bitrev", "to the number with its bits in reverse", _reversed_bits)
SHUFFLE = _of_bits("shuffle", "to the number with its bits rotated left", _turned_left)
ROTATION = _of_bits(
    "rotation",
    "to the number with its bits rotated right",
    lambda sources, bits: _turned_left(sources, bits, by=bits - 1),
)
TRANSPOSE = _of_bits(
    "transpose",
    "to the number with the halves of its bits swapped",
    lambda sources, bits: _turned_left(sources, bits, by=bits // 2),
    even=True,
)
TORNADO = _of_numbers(
    "tornado", "to number s + ceil(T/2) - 1 of T", lambda sources, count: sources + (count + 1) // 2 - 1
)
NEIGHBOR = _of_numbers("neighbor", "to the next number", lambda sources, _: sources + 1)
HALF = _of_numbers(
    "half", "to the endpoint half of all numbers ahead", lambda sources, count: sources + count // 2, BOOKSIM
)
SHIFT = Pattern(
    "shift",
    "half to the endpoint of the same number in either half",
    SLIM_FLY,
    _shifted,
    _needs_endpoints,
)
PERMUTATION = Pattern(
    "permutation",
    "to one endpoint each, by a random permutation",
    BOOKSIM,
    _at_random,
    _needs_endpoints,
    parameters=(Parameter("seed", "seed of the permutation", "1", omitted=1),),
)
