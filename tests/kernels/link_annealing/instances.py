"""Networks for the annealing kernel: random orbits of links, as many as the ports and the limit allow."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from kernels.backends import on
from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import Neighborhood, PairScores, anneal_links
from topoctl.layout import Layout

ROTATIONS = [(1, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 1), (6, 1, 1), (12, 1, 1)]
GROUPS = [*ROTATIONS, (2, 2, 1), (3, 2, 2), (4, 2, 3), (7, 3, 2), (3, 4, 2), (5, 4, 2), (9, 6, 2), (4, 4, 3)]
"""Those of rotations, the smallest others, and some that are no product of smaller ones."""


@dataclass(frozen=True)
class Instance:
    neighborhood: Neighborhood
    slots: np.ndarray  # (order, radix)
    generators: np.ndarray  # (2, order)
    rotation_order: int
    second_order: int = 1

    @property
    def order(self):
        return len(self.slots)


def within(layout, limit):
    """The neighbourhood of a layout."""
    u_v = layout.diagonals
    near = [np.flatnonzero(np.abs(u_v - place).max(axis=1) <= limit) for place in u_v]
    others = [routers[routers != router] for router, routers in enumerate(near)]
    offsets = np.cumsum([0, *map(len, others)])
    return Neighborhood(offsets, np.concatenate(others).astype(np.int32), u_v, limit)


def pairs_within(neighborhood, radix, random):
    """All pairs that the limit allows, or many where there is none."""
    order = len(neighborhood.diagonals)
    if not len(neighborhood.offsets):
        pairs = random.integers(order, size=(8 * order * radix, 2))
    else:
        tails = np.repeat(np.arange(order), np.diff(neighborhood.offsets))
        pairs = random.permutation(np.stack([tails, neighborhood.routers], axis=1))
    return pairs[pairs[:, 0] != pairs[:, 1]]


def random_instance(neighborhood, generators, orders, radix, seed=1, share=1.0):
    """Tries a share of the pairs by chance and links those whose orbits find free ports."""
    rotation_order, second_order = orders
    pairs = pairs_within(neighborhood, radix, np.random.default_rng(seed))
    turn, move = generators.tolist()
    rows = [[] for _ in turn]
    for a, b in pairs[: int(np.ceil(share * len(pairs)))].tolist():
        if b in rows[a] or len(rows[a]) == radix or len(rows[b]) == radix:
            continue
        orbit, x, y = set(), a, b
        for _ in range(second_order):
            for _ in range(rotation_order):
                orbit.add((min(x, y), max(x, y)))
                x, y = turn[x], turn[y]
            x, y = move[x], move[y]
        needed = Counter(router for link in orbit for router in link)
        if all(len(rows[router]) + ports <= radix for router, ports in needed.items()):
            for x, y in orbit:
                rows[x].append(y)
                rows[y].append(x)
    slots = np.array([row + [-1] * (radix - len(row)) for row in rows], dtype=np.int32)
    return Instance(neighborhood, slots.reshape(len(rows), radix), generators.astype(np.int32), *orders)


def alone(rotation):
    """A rotation as the first of two generators, the other of which does nothing."""
    return np.stack([rotation, np.arange(len(rotation), dtype=np.int32)])


def acting(group, order, seed=0):
    """What products with (1, 0) and (0, 1) do with routers; with a seed under a random numbering."""
    random = np.random.default_rng(seed)
    names = random.permutation(order) if seed else np.arange(order)
    elements = [group.element(number) for number in range(group.order)]
    generators = np.empty((2, order), dtype=np.int32)
    for which, generator in enumerate([(1 % group.s, 0), (0, 1 % group.t)]):
        for number, element in enumerate(elements):
            image = group.number(group.product(generator, element))
            for orbit in range(order // group.order):
                places = number * (order // group.order) + orbit, image * (order // group.order) + orbit
                generators[which, names[places[0]]] = names[places[1]]
    return generators


def on_layout(layout, limit, rotation_order, radix, seed=1, share=1.0):
    return random_instance(
        within(layout, limit), alone(layout.rotation(rotation_order)), (rotation_order, 1), radix, seed, share
    )


def anywhere(order, rotation_order, radix, seed=1, share=1.0):
    return lifted(Group(rotation_order, 1, 1), order, radix, seed, share)


def lifted(group, order, radix, seed=1, share=1.0):
    return random_instance(
        Neighborhood.unlimited(order), acting(group, order, seed), (group.s, group.t), radix, seed, share
    )


@st.composite
def layouts(draw, rotation_order):
    """A layout that turns by 360/rotation_order degrees without a router in the centre."""
    if rotation_order == 4:
        side = draw(st.sampled_from([2, 4, 6, 8]))
        return Layout("grid", side, side)
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    if rotation_order == 2:
        height += height % 2
    return Layout(draw(st.sampled_from(["grid", "diagrid"])), width, height)


@st.composite
def instances(draw):
    """Networks on grids and diagrids, and of any links; with free ports and without, connected or not."""
    radix, seed = draw(st.integers(1, 7)), draw(st.integers(1, 2**32))
    share = draw(st.sampled_from([1.0, 1.0, 0.3, 0.05]))
    if draw(st.booleans()):
        rotation_order = draw(st.sampled_from([1, 2, 4]))
        return on_layout(
            draw(layouts(rotation_order)), draw(st.integers(1, 6)), rotation_order, radix, seed, share
        )
    group = Group(*draw(st.sampled_from(GROUPS)))
    order = group.order * draw(st.integers(1, max(1, 60 // group.order)))
    return lifted(group, order, radix, seed, share)


def walked(name, instance, walks, seeds, heats=(0,), threads=1):
    """Several walks of one network."""
    copies = (len(walks), 1)
    return on(
        name,
        anneal_links,
        instance.neighborhood,
        np.tile(instance.slots, (*copies, 1)),
        np.tile(instance.generators, (*copies, 1)),
        walks,
        np.array(seeds, dtype=np.uint64),
        np.tile(np.array(heats, dtype=np.int64), copies),
        threads,
    )


def arrays_of(found):
    """All that a walk returns, by name."""
    arrays = {}
    for name, value in found._asdict().items():
        parts = value._asdict() if isinstance(value, PairScores) else {"": value}
        arrays |= {f"{name} {part}": array for part, array in parts.items()}
    return arrays


def assert_alike(one, other):
    """Two walks returned the same."""
    others = arrays_of(other)
    for field, array in arrays_of(one).items():
        assert array.dtype == others[field].dtype
        np.testing.assert_array_equal(array, others[field], err_msg=field)


def energies_of(beyond, target, weight, most=None):
    """What :func:`oracles.annealing_energy` has of each network, from what `pairs_beyond` tells of it."""
    return [
        sum((1 if hops < target else weight) * pairs for hops, pairs in enumerate(one[:most]))
        for one in beyond
    ]


def pairs_beyond(slots):
    """How many ordered pairs are more than 0, 1, 2, ... hops apart, or without a path; up to order - 1."""
    order = len(slots)
    linked = np.eye(order, dtype=np.float32)
    routers, ports = np.nonzero(slots >= 0)
    linked[routers, slots[routers, ports]] = 1
    reached, beyond = np.eye(order, dtype=np.float32), []
    for _ in range(order):
        beyond.append(order**2 - np.count_nonzero(reached))
        if beyond[-2:-1] == beyond[-1:]:  # none is reached any more
            break
        reached = (reached @ linked > 0).astype(np.float32)
    return beyond + beyond[-1:] * (order - len(beyond))


def rows_of(slots):
    """The neighbours of every router."""
    return [[router for router in row if router >= 0] for row in slots.tolist()]
