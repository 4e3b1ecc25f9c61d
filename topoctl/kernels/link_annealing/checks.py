"""Checks before networks are annealed: arrays that fit together, networks that keep the rules, groups."""

from __future__ import annotations

from dataclasses import astuple
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.cooling import MOST_MOVES, check_cooling
from topoctl.kernels.latency import MAX_LATENCY, MAX_WEIGHT
from topoctl.kernels.link_annealing.walk import (
    EXACT,
    METHODS,
    MOST_ORBITS,
    Cables,
    Hosts,
    LinkWalk,
    Neighborhood,
    Standing,
)
from topoctl.kernels.validation import check_array, check_range, check_record, check_walkers

Routers = NDArray[np.int32]

LARGEST = 2**62
"""Energies are smaller, so that their sums and differences fit in 64 bits."""
COORDINATES = 2**30 - 1
"""The largest coordinate of a router, so that differences of two fit in 32 bits."""


def check_walks(
    neighborhood: Neighborhood,
    slots: NDArray[np.int32],
    generators: NDArray[np.int32],
    walks: list[LinkWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
) -> None:
    """Require arrays that fit together, and networks that keep the rules.

    Args:
        neighborhood: which pairs may be linked.
        slots: int32, shape (walkers, order, radix).
        generators: int32, shape (walkers, 2, order).
        walks: one per walker.
        seeds: uint64, shape (walkers,).
        temperatures: int64, shape (walkers, steps).

    Raises:
        InvalidParameters: arrays that do not fit together, or a network that breaks the rules.
    """
    check_record("neighborhood", neighborhood, Neighborhood)
    check_array("slots", slots, np.int32, 3, contiguous=False)
    check_array("generators", generators, np.int32, 3, contiguous=False)
    check_walkers(walks, LinkWalk)
    for number, walk in enumerate(walks):
        if walk.cables is not None:
            check_record(f"walk {number}: cables", walk.cables, Cables)
        if walk.standing is not None:
            check_record(f"walk {number}: standing", walk.standing, Standing)
        if walk.hosts is not None:
            check_record(f"walk {number}: hosts", walk.hosts, Hosts)
    walkers, order, radix = slots.shape
    if not order or not radix:
        raise InvalidParameters(f"slots of shape {slots.shape}: expected some routers and ports")
    check_cooling(walkers, walks, seeds, temperatures)
    if generators.shape != (walkers, 2, order):
        raise InvalidParameters(f"generators of shape {generators.shape}: expected {(walkers, 2, order)}")
    _check_neighborhood(neighborhood, order)
    for number, walk in enumerate(walks):
        if walk.cables:
            _check_cables(neighborhood, generators[number], walk, number)
        _check_walk(neighborhood, order, walk, number)
        if walk.lifted and (
            len(neighborhood.offsets)
            or walk.cables
            or walk.method == "toggle"
            or order > MOST_ORBITS * walk.symmetry_order
        ):
            raise InvalidParameters(
                f"walk {number}: lifted, expected hops, no limit of lengths, no toggle, and "
                f"at most {MOST_ORBITS} orbits"
            )
        words = generators[number].tobytes()
        _check_group_action(neighborhood, words, walk.rotation_order, walk.second_order)
        check_network(neighborhood, slots[number], generators[number], number)
        if walk.standing is not None:
            _check_standing(walk, walk.standing, slots[number], number)
        if walk.hosts is not None:
            _check_hosts(walk, walk.hosts, slots[number], generators[number], number)


def _check_walk(neighborhood: Neighborhood, order: int, walk: LinkWalk, number: int) -> None:
    """Require numbers of a walk in range, and energies that fit 64 bits."""
    farthest = walk.cables.farthest(neighborhood.diagonals) - 1 if walk.cables else order
    if not (
        walk.method in METHODS
        and min(walk.rotation_order, walk.second_order) >= 1
        and walk.symmetry_order <= order
        and 0 <= walk.target <= farthest
        and 0 <= walk.aim <= farthest
        and 1 <= walk.weight <= 2**16
        and 0 <= walk.focus <= 1024
        and EXACT <= walk.slack <= 2**16
        and 0 <= walk.moves < MOST_MOVES
        and 0 <= walk.goal_diameter < LARGEST
        and 0 <= walk.goal_sum < LARGEST
    ):
        raise InvalidParameters(f"walk {number}: {walk} out of range")
    pairs = order * (order // walk.symmetry_order)
    if walk.hosts is not None:
        check_array(f"walk {number}: counts of hosts", walk.hosts.counts, np.int32)
        pairs = max(pairs, int(walk.hosts.counts.sum(dtype=np.int64)) ** 2)
    if (farthest + 1) * pairs * walk.weight >= LARGEST:
        raise InvalidParameters(f"walk {number}: weight {walk.weight}, too large for {order} routers")


@lru_cache(maxsize=8)  # an annealing search calls the kernel many times with the same neighborhood
def _check_neighborhood(neighborhood: Neighborhood, order: int) -> None:
    offsets, routers, diagonals = neighborhood.offsets, neighborhood.routers, neighborhood.diagonals
    check_array("neighborhood offsets", offsets, np.int64)
    check_array("neighborhood routers", routers, np.int32)
    check_range("neighborhood routers", routers, order)
    check_array("diagonals", diagonals, np.int32, 2, contiguous=False)
    if diagonals.shape != (order, 2):
        raise InvalidParameters(f"diagonals of shape {diagonals.shape}: expected {(order, 2)}")
    if not 0 <= neighborhood.limit <= COORDINATES or np.abs(diagonals.astype(np.int64)).max() > COORDINATES:
        raise InvalidParameters(
            f"limit {neighborhood.limit}, diagonals {diagonals.min()}..{diagonals.max()}: "
            f"expected a limit in 0..{COORDINATES}, diagonals within {COORDINATES} of 0"
        )
    if not len(offsets):
        if np.ptp(diagonals, axis=0).max() > neighborhood.limit:
            raise InvalidParameters(f"limit {neighborhood.limit}, which not all links keep: expected offsets")
        return
    if (
        len(offsets) != order + 1
        or offsets[0] != 0
        or offsets[-1] != len(routers)
        or (np.diff(offsets) < 0).any()
    ):
        raise InvalidParameters(f"neighborhood offsets do not fit {order} routers")
    tails = np.repeat(np.arange(order), np.diff(offsets))
    if (tails == routers).any():
        raise InvalidParameters("neighborhood: a router may not be linked to itself")
    if neighborhood.longest(tails, routers) > neighborhood.limit:
        raise InvalidParameters(f"neighborhood: a pair further apart than the limit {neighborhood.limit}")


def _check_cables(
    neighborhood: Neighborhood, generators: NDArray[np.int32], walk: LinkWalk, number: int
) -> None:
    """Require latencies that fit their integers, and a rotation that keeps them."""
    cables, diagonals = walk.cables, neighborhood.diagonals
    if cables is None:
        return
    most = min(MAX_WEIGHT, MAX_LATENCY // len(diagonals))
    if (
        min(astuple(cables)) < 0
        or not 1 <= cables.constant <= cables.heaviest(diagonals) <= most
        or cables.electric > MAX_LATENCY
        or max(cables.price, cables.across, cables.along) > MAX_WEIGHT
        or walk.aim not in (0, walk.target)
    ):
        raise InvalidParameters(
            f"walk {number}: {cables}, target {walk.target}, aim {walk.aim}: expected links of weight "
            f"1..{most}, a price of at most {MAX_WEIGHT}, and as aim 0 or the target"
        )
    if (diagonals.sum(axis=1) % 2).any():
        raise InvalidParameters("diagonals that are no cabinets: expected u + v to be even")
    if not all(cables.kept_by(generator, diagonals) for generator in generators):
        raise InvalidParameters(f"walk {number}: the rotation does not keep the weights of links")


def _check_standing(walk: LinkWalk, standing: Standing, slots: NDArray[np.int32], number: int) -> None:
    """Require standing links of a simple graph, and a network that lacks no more of them than it may."""
    order, still = len(slots), np.arange(len(slots), dtype=np.int32)
    check_array(f"walk {number}: standing", standing.slots, np.int32, 2)
    if standing.slots.shape[0] != order or walk.symmetry_order > 1 or walk.lifted:
        raise InvalidParameters(
            f"walk {number}: standing links of {standing.slots.shape[0]} routers under a symmetry of order "
            f"{walk.symmetry_order}: expected {order} routers, and no symmetry"
        )
    check_network(Neighborhood.unlimited(order), standing.slots, np.stack([still, still]), number)
    routers = still.astype(np.int64)[:, None] * order
    there = np.isin((routers + standing.slots)[standing.slots >= 0], (routers + slots)[slots >= 0])
    missing = int((~there).sum()) // 2
    if not missing <= standing.most_missing < LARGEST:
        raise InvalidParameters(
            f"walk {number}: a network that lacks {missing} standing links, expected at most "
            f"{standing.most_missing}"
        )


def _check_hosts(
    walk: LinkWalk, hosts: Hosts, slots: NDArray[np.int32], generators: NDArray[np.int32], number: int
) -> None:
    """Require ports for all links and hosts, and a symmetry that takes no router to one of other hosts."""
    counts = hosts.counts
    if len(counts) != len(slots) or walk.lifted or walk.cables or walk.standing or walk.method == "affected":
        raise InvalidParameters(
            f"walk {number}: {len(counts)} counts of hosts for {len(slots)} routers: expected one each, "
            "hops, no standing links, not lifted, and not affected as method"
        )
    used = (slots >= 0).sum(axis=1) + counts.astype(np.int64)
    if not (counts.min() >= 0 and counts.any() and used.max() <= hosts.ports < 2**31):
        raise InvalidParameters(
            f"walk {number}: counts of hosts {counts.min()}..{counts.max()}, up to {used.max()} links and "
            f"hosts of a router: expected some hosts, no count below 0, and no more than {hosts.ports} ports"
        )
    if any((counts[generator] != counts).any() for generator in generators):
        raise InvalidParameters(f"walk {number}: the symmetry takes a router to one of other hosts")


def check_network(
    neighborhood: Neighborhood, slots: NDArray[np.int32], generators: NDArray[np.int32], number: int
) -> None:
    """Require slots of a simple graph that keeps the limit and that the generators map onto itself.

    Args:
        neighborhood: which pairs may be linked.
        slots: int32, shape (order, radix): neighbours, -1 behind the last.
        generators: int32, shape (2, order).
        number: of the network, for the message.

    Raises:
        InvalidParameters: the graph is another one.
    """
    order = len(slots)
    used = slots >= 0
    if (slots < -1).any() or (slots >= order).any() or (used[:, 1:] & ~used[:, :-1]).any():
        raise InvalidParameters(f"walker {number}: slots that are no router, or a gap between them")
    tails = np.repeat(np.arange(order, dtype=np.int64), used.sum(axis=1))
    heads = slots[used].astype(np.int64)
    keys = np.sort(tails * order + heads)
    if (
        (tails == heads).any()
        or (np.diff(keys) == 0).any()
        or not np.array_equal(keys, np.sort(heads * order + tails))
    ):
        raise InvalidParameters(f"walker {number}: slots are not the neighbours of a simple undirected graph")
    if neighborhood.longest(tails, heads) > neighborhood.limit:
        raise InvalidParameters(f"walker {number}: a link longer than the limit {neighborhood.limit}")
    still = np.arange(order)
    for generator in generators:
        if np.array_equal(generator, still):
            continue
        if not np.array_equal(keys, np.sort(generator[tails].astype(np.int64) * order + generator[heads])):
            raise InvalidParameters(f"walker {number}: the symmetry does not map the network onto itself")


@lru_cache(maxsize=64)  # an annealing search calls the kernel many times with the same group
def _check_group_action(
    neighborhood: Neighborhood, words: bytes, rotation_order: int, second_order: int
) -> None:
    """Require two permutations that generate a group of as many elements as every orbit has routers.

    The orbits of the first, a rotation, all have `rotation_order` routers; the second maps them onto each
    other, `second_order` of them in turn, and all links within the limit onto such links.

    Args:
        neighborhood: which pairs may be linked.
        words: of both permutations, one after the other.
        rotation_order: of the first.
        second_order: of the second.

    Raises:
        InvalidParameters: the permutations are others.
    """
    rotation, second = np.frombuffer(words, dtype=np.int32).reshape(2, -1)
    still = np.arange(len(rotation))
    for generator in (rotation, second):
        if not np.array_equal(np.sort(generator), still):
            raise InvalidParameters(f"a rotation that is no permutation of its {len(still)} routers")
        _check_lengths(neighborhood, generator)
    _check_orbits(rotation, rotation_order, still, "the rotation", "routers")
    if second_order == 1 and not np.array_equal(second, still):
        raise InvalidParameters("a second generator of order 1 that is not the identity")
    if second_order > 1:
        _check_orbits(second, second_order, _lowest(rotation, rotation_order), "both generators", "rotations")
        _check_closed(rotation, second, rotation_order)


def _check_orbits(permutation: Routers, order: int, labels: NDArray[np.integer], of: str, what: str) -> None:
    """Require a permutation whose power `order` is the identity, and no lower one keeps a label."""
    if not np.array_equal(_power(permutation, order), np.arange(len(permutation))):
        raise InvalidParameters(f"{order} rotations are not the identity")
    for part in range(2, order + 1):
        if order % part == 0 and (labels[_power(permutation, order // part)] == labels).any():
            raise InvalidParameters(f"not all orbits of {of} have {order} {what}")


def _check_closed(rotation: Routers, second: Routers, rotation_order: int) -> None:
    """Require that the second generator after a rotation is some number of rotations after it."""
    router, turns = second[0], 0
    while router != second[rotation[0]] and turns < rotation_order:
        router, turns = rotation[router], turns + 1
    if not np.array_equal(second[rotation], _power(rotation, turns)[second]):
        raise InvalidParameters("two generators that do not make a group of the product of their orders")


def _check_lengths(neighborhood: Neighborhood, generator: Routers) -> None:
    if not len(neighborhood.offsets):
        return
    tails = np.repeat(np.arange(len(generator)), np.diff(neighborhood.offsets))
    if neighborhood.longest(generator[tails], generator[neighborhood.routers]) > neighborhood.limit:
        raise InvalidParameters(
            f"a rotation that takes routers further apart than the limit {neighborhood.limit}"
        )


def _lowest(rotation: Routers, rotation_order: int) -> NDArray[np.integer]:
    """The smallest router of the orbit of every router: int, shape (order,)."""
    labels, image, seen = np.arange(len(rotation)), rotation, 1
    while seen < rotation_order:
        labels = np.minimum(labels, labels[image])
        image, seen = image[image], 2 * seen
    return labels


def _power(permutation: Routers, times: int) -> Routers:
    """Where so many applications take every router; by squaring."""
    image, power = np.arange(len(permutation), dtype=np.int32), permutation
    while times:
        if times & 1:
            image = power[image]
        power, times = power[power], times >> 1
    return image
