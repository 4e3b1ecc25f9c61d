"""Calls of every kernel, a short one and a long one; a new kernel has its own here."""

import numpy as np

from topoctl.graph import Graph
from topoctl.kernels.bfs import bfs
from topoctl.kernels.carry import carry
from topoctl.kernels.cayley import GeneratorWalk, anneal_generators, cayley_levels
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import HopWalk, anneal_hops, equality_levels
from topoctl.kernels.follow import NOBODY, follow
from topoctl.kernels.latency import latency
from topoctl.kernels.link_annealing import Cables, LinkWalk, Neighborhood, anneal_links
from topoctl.kernels.link_loads import link_loads
from topoctl.kernels.matching import match_outward
from topoctl.kernels.next_hops import next_hops
from topoctl.kernels.placement_annealing import anneal_placement
from topoctl.kernels.rises import rises

TO_THE_ENDS = {
    "destinations": np.array([0, 2], dtype=np.int32),
    "shares": np.array([[[0.0, 1.0, 0.0, 1.0]], [[1.0, 0.0, 1.0, 0.0]]]),
    "next_phase": np.zeros((1, 4), dtype=np.int8),
}
PLACES = np.array([[0, 0], [3, 0], [0, 2]], dtype=np.int32)
RING = np.arange(8, dtype=np.int32)
LINKS = {
    "offsets": np.array([0, 1, 3, 4], dtype=np.int32),
    "neighbors": np.array([1, 0, 2, 1], dtype=np.int32),
    "sources": np.array([0], dtype=np.int32),
}
HALVES = {
    "half": 7,
    "odd": np.array([[6, 0, 1, 4]], dtype=np.int32),
    "even": np.array([[2]], dtype=np.int32),
}
GENERATORS = {"generators": np.array([[1, 7]], dtype=np.int32)}
COLD, SEEDS = np.full((1, 1), ONE), np.array([1], dtype=np.uint64)
HOP_WALK = HopWalk(odd_count=4, odd_fixed=2, even_count=1, even_fixed=0, target=2, moves=10)
LINK_WALK = LinkWalk(rotation_order=1, moves=5)
CABLES = Cables(1, 1, 1)
SIDES = ("plan", "found")
ACCEPTED = {
    bfs: LINKS,
    latency: LINKS | {"weights": np.ones(4, dtype=np.int32), "limit": 9},
    anneal_placement: {
        **{name: LINKS[name] for name in ("offsets", "neighbors")},
        **{"cabinet_of": np.array([0, 1, 2], dtype=np.int32), "places": PLACES, "detour": 1},
        **{"seeds": np.array([1, 2], dtype=np.uint64), "moves": 9, "temperatures": COLD[0]},
    },
    equality_levels: HALVES | {"most": 9},
    cayley_levels: GENERATORS | {"s": 7, "t": 3, "r": 2} | {"most": 9},
    anneal_generators: GENERATORS
    | {"groups": np.array([[7, 3, 2]])}
    | {"walks": [GeneratorWalk(pairs=2, target=2, moves=10)], "seeds": SEEDS, "temperatures": COLD},
    link_loads: {
        "offsets": LINKS["offsets"],
        "neighbors": LINKS["neighbors"],
        "endpoints": np.array([1, 0, 2], dtype=np.int32),
        "roots": np.array([0, 2], dtype=np.int32),
        "weights": np.array([1, 2]),
        "shift": 40,
    },
    next_hops: {
        "offsets": LINKS["offsets"],
        "neighbors": LINKS["neighbors"],
        "destinations": np.array([2, 0, 2], dtype=np.int32),
    },
    carry: {
        "offsets": LINKS["offsets"],
        "neighbors": LINKS["neighbors"],
        **TO_THE_ENDS,
        "sent": np.array([[[1.0, 2.5, 0.1], [0.3, 0.0, 0.0]]]),
    },
    follow: {
        "offsets": LINKS["offsets"],
        "neighbors": LINKS["neighbors"],
        **TO_THE_ENDS,
        "sent": np.array([[False, True, True], [True, False, False]]),
        "numbers": np.array([[0, 2, 2, 1]], dtype=np.int32),
        "kinds": np.zeros(4, dtype=np.int8),
        "raised": np.zeros((2, 2), dtype=np.int8),
        "own": np.zeros((2, 1, 4), dtype=np.int8),
        "starts": np.zeros((2, 4), dtype=np.int32),
        "begun_first": np.arange(5),
        "begun": np.array([[0, NOBODY, tail] for tail in (0, 1, 1, 2)], dtype=np.int32),
    },
    rises: {
        "offsets": LINKS["offsets"],
        "neighbors": LINKS["neighbors"],
        **TO_THE_ENDS,
        "sent": np.array([[False, True, True], [True, False, False]]),
        "kinds": np.array([[0, 1, 0, 1], [1, 0, 0, 1]], dtype=np.int8),
        "raised": np.array([[0, 1], [0, 0]], dtype=np.int8),
        "ends": 2,
    },
    match_outward: {
        **{f"{side}_{name}": LINKS[name] for side in SIDES for name in ("offsets", "neighbors")},
        **{f"{side}_ports": np.array([[1, 1], [1, 1], [2, 2], [2, 2]], dtype=np.int32) for side in SIDES},
        **{f"{side}_colors": np.array([0, 1, 0], dtype=np.int32) for side in SIDES},
        **{f"{side}_hosts": np.array([1, 0, 1], dtype=np.int32) for side in SIDES},
        "starts": np.array([[[0, 2], [-1, -1]], [[1, 1], [0, 0]]], dtype=np.int32),
        "seeds": np.array([1, 2]),
        "limit": 3,
        "rounds": 2,
    },
    anneal_hops: HALVES | {"walks": [HOP_WALK], "seeds": SEEDS, "temperatures": COLD},
    anneal_links: {
        "neighborhood": Neighborhood.unlimited(8),
        "slots": np.stack([(RING - 1) % 8, (RING + 1) % 8], axis=1).reshape(1, 8, 2),
        "generators": np.stack([[RING, RING]]),
        "walks": [LINK_WALK],
        "seeds": SEEDS,
        "temperatures": COLD,
    },
}


def ring_of(order):
    """The links of a ring whose routers are all sources."""
    routers = np.arange(order, dtype=np.int32)
    graph = Graph.from_links(order, np.stack([routers, np.roll(routers, -1)], axis=1))
    return {"offsets": graph.offsets, "neighbors": graph.neighbors, "sources": routers}


def load_of_ring(order):
    """Traffic between all routers of a ring."""
    links = ring_of(order)
    ones = {"endpoints": np.ones(order, dtype=np.int32), "weights": np.ones(order, dtype=np.int64)}
    return ones | {"roots": links.pop("sources"), "shift": 0} | links


def ways_round_a_ring(order, count):
    """So many destinations in a ring."""
    links = ring_of(order)
    return links | {"destinations": links.pop("sources")[:count]}


def down_a_clique(order, patterns):
    """So many patterns between routers that are all linked, spread over those of smaller numbers."""
    links = Graph.from_links(order, np.stack(np.triu_indices(order, 1), axis=1))
    tails, heads = np.repeat(np.arange(order), links.degrees), links.neighbors
    onward = (heads < tails) / np.maximum(tails, 1)
    shares = np.repeat(onward[None, None], order, axis=0)
    for destination in range(1, order):
        shares[destination, 0, tails == 0] = heads[tails == 0] == destination
    return {
        "offsets": links.offsets,
        "neighbors": links.neighbors,
        "destinations": np.arange(order, dtype=np.int32),
        "shares": shares,
        "next_phase": np.zeros((1, len(heads)), dtype=np.int8),
        "sent": np.ones((patterns, order, order)),
        "threads": 2,
    }


def matched_cliques(order, rows):
    """Two networks in which all routers are linked, matched from one pair, often."""
    links = Graph.from_links(order, np.stack(np.triu_indices(order, 1), axis=1))
    side = {
        "offsets": links.offsets,
        "neighbors": links.neighbors,
        "ports": np.zeros((len(links.neighbors), 2), dtype=np.int32),
        "colors": np.zeros(order, dtype=np.int32),
        "hosts": np.zeros(order, dtype=np.int32),
    }
    both = {f"{name}_{part}": array for name in SIDES for part, array in side.items()}
    starts = np.zeros((rows, 1, 2), dtype=np.int32)
    return both | {"starts": starts, "seeds": np.arange(rows), "limit": order, "rounds": 9}


def one_way_round_a_ring(order):
    """Packets for all routers of a ring that raise their channel at every hop."""
    links = ring_of(order)
    destinations, heads = links.pop("sources"), links["neighbors"]
    tails = np.repeat(destinations, 2)
    onward = heads == (tails + 1) % order
    return links | {
        "destinations": destinations,
        "shares": np.repeat(onward[None, None].astype(np.float64), order, axis=0),
        "next_phase": np.zeros((1, 2 * order), dtype=np.int8),
        "sent": ~np.eye(order, dtype=bool),
        "numbers": np.repeat(np.arange(order, dtype=np.int32)[:, None], 2 * order, axis=1),
        "kinds": np.zeros(2 * order, dtype=np.int8),
        "raised": np.ones((2, 2), dtype=np.int8),
        "own": np.zeros((0, 1, 2 * order), dtype=np.int8),
        "starts": np.zeros((0, 2 * order), dtype=np.int32),
        "begun_first": np.arange(2 * order + 1),
        "begun": np.stack([0 * tails, 0 * tails + NOBODY, tails], axis=1),
    }


def orders_of_a_clique(order, orders):
    """So many orders of routers that are all linked."""
    given = down_a_clique(order, patterns=0)
    return given | {
        "sent": ~np.eye(order, dtype=bool),
        "kinds": np.tile(np.arange(order * (order - 1), dtype=np.int8) % 2, (orders, 1)),
        "raised": np.ones((2, 2), dtype=np.int8),
        "ends": 2,
    }


def hops(half, count):
    """So many copies of a pair of hop sets."""
    odd, even = np.arange(0, 32, dtype=np.int32)[None] ** 2, np.array([[3, 50]], dtype=np.int32)
    return {"half": half, "odd": odd.repeat(count, axis=0), "even": even.repeat(count, axis=0)}


def generators_of(t, count):
    """So many copies of a set of generators in t layers of 64 routers."""
    generators = 65 * np.arange(14, dtype=np.int32)[None] + 1
    return {"generators": generators.repeat(count, axis=0)}


def tori(order, row, count):
    """So many walks over the links of a torus, without end and without a limit of length, on two threads."""
    routers = np.arange(order, dtype=np.int32)
    slots = np.stack([np.roll(routers, shift) for shift in (1, -1, row, -row)], axis=1)
    return {
        "neighborhood": Neighborhood.unlimited(order),
        "slots": np.stack([slots] * count),
        "generators": np.stack([[routers, routers]] * count),
        "walks": [LinkWalk(rotation_order=1, moves=2**39)] * count,
        "seeds": np.arange(count, dtype=np.uint64),
        "temperatures": COLD.repeat(count, axis=0),
        "threads": 2,
    }


ENDLESS = HopWalk(odd_count=32, odd_fixed=2, even_count=2, even_fixed=0, target=3, moves=10**10)
ENDLESS_GENERATORS = GeneratorWalk(pairs=14, target=3, moves=10**10)
LONG = {
    bfs: lambda: ring_of(150_000),
    latency: lambda: ring_of(20_000) | {"weights": np.ones(40_000, dtype=np.int32)},
    link_loads: lambda: load_of_ring(40_000),
    anneal_placement: lambda: {
        **{name: array for name, array in ring_of(1000).items() if name != "sources"},
        **{"cabinet_of": np.arange(1000, dtype=np.int32) % 3, "places": PLACES, "detour": 1},
        **{"seeds": SEEDS, "moves": 2**39, "temperatures": COLD[0]},
    },
    next_hops: lambda: ways_round_a_ring(150_000, 2**12),
    carry: lambda: down_a_clique(200, patterns=400),
    follow: lambda: one_way_round_a_ring(2000),
    rises: lambda: orders_of_a_clique(200, orders=400),
    equality_levels: lambda: hops(16384, 200_000),
    cayley_levels: lambda: generators_of(4096, 20_000) | {"s": 64, "t": 4096, "r": 63},
    anneal_generators: lambda: (
        generators_of(32, 1)
        | {
            "groups": np.array([[64, 32, 63]]),
            "walks": [ENDLESS_GENERATORS],
            "seeds": SEEDS,
            "temperatures": COLD,
        }
    ),
    anneal_hops: lambda: hops(1024, 1) | {"walks": [ENDLESS], "seeds": SEEDS, "temperatures": COLD},
    match_outward: lambda: matched_cliques(1000, rows=1000),
    anneal_links: lambda: tori(900, 30, count=3),
}
"""Arguments of calls that take many seconds."""
