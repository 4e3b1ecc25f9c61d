"""Networks on the grid of a floor: which grids, degrees and lengths of links are worth a search."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from topoctl.analysis.bounds import router_distance_sum_lower_bound
from topoctl.analysis.layout_bounds import layout_bounds, length_hop_sum
from topoctl.analysis.layout_counts import pairs_within, routers_within
from topoctl.economics.prices import Prices
from topoctl.families.cayley.group import Group
from topoctl.floor.floor import MICROMETRES, Floor, micrometres, rack_block
from topoctl.layout import Layout
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import MAX_ORDER
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.design.prospects import LEAST_LINKS, Prospect, claims_of, least_orders, prospect_of
from topoctl.search.design.request import GRID, DesignRequest
from topoctl.search.draws import Draws
from topoctl.topology import Topology, uniform_endpoints

ALONE: Group = rotation_group(1)
MOST_PAIRS = 2 * 10**7  # a search lists them, in about 50 bytes each
"""Pairs of routers that may be linked, at most."""


def grids(request: DesignRequest) -> list[Prospect]:
    """Return the grids worth a look: one for every concentration, with three limits of lengths.

    Links are at most as long as balances their number, or as copper reaches, or as half of the longest way,
    which excludes few pairs of routers; short links alone leave too few links across the middle of the floor.
    Each limit gets all links that the ports leave, and the fewest with which the bounds of the layout allow a
    full throughput.

    Example:
        >>> request = DesignRequest("200..220", "12", evaluations=1, families=("grid",))
        >>> [one.name for one in grids(request)][:2]
        ["grid 12x17 L 3 N 204 k' 5 p 1", "grid 12x17 L 5 N 204 k' 11 p 1"]
    """
    found = dict[tuple[Layout, int, int], Prospect]()
    for p, layout in _layouts(request):
        copper = copper_length(
            layout, rack_block(request.floor, p, *request.planes), request.floor, request.prices
        )
        for limit in (None, copper, -(-layout.longest // 2)):
            for one in _with_lengths(layout, limit, p, request) if limit != 0 else ():
                if _searchable(one):
                    found.setdefault((layout, one.claims.network_radix, one.length_limit or 0), one)
    return [*found.values()]


def _searchable(one: Prospect) -> bool:
    """Say whether a corner router can have all its links, and few enough pairs may be linked."""
    if one.layout is None or one.length_limit is None or one.length_limit >= one.layout.longest:
        return True
    at_corner = int(routers_within(one.layout, 0, 0, one.length_limit))
    pairs = int(pairs_within(one.layout)[one.length_limit])
    return at_corner > one.claims.network_radix and pairs <= MOST_PAIRS


def _with_lengths(layout: Layout, limit: int | None, p: int, request: DesignRequest) -> list[Prospect]:
    """Return a grid with the fewest links that may do, and with all; the balanced length for no limit."""
    most = min(int(request.windows["router_radix"].most) - p, layout.order - 1)

    @cache
    def at(links: int) -> Prospect:
        length = _balanced_length(layout, links) if limit is None else limit
        bounds = layout_bounds(layout, links, length)
        claims = replace(
            claims_of(layout.order, links), diameter=bounds.diameter, distance_sum=bounds.distance_sum
        )
        return replace(prospect_of(GRID, claims, p, request), layout=layout, length_limit=length)

    numbers = range(LEAST_LINKS, most + 1)
    ample = bisect_left(numbers[:-1], 1.0, key=lambda links: at(links).numbers["uniform_throughput"])
    return [at(links) for links in sorted({numbers[ample], most})] if numbers else []


def _layouts(request: DesignRequest) -> Iterator[tuple[int, Layout]]:
    """Yield, for every concentration, the grid that holds the endpoints and spreads least over the floor."""
    for p, least in least_orders(request):
        most = min(int(request.windows["endpoints"].most) // p, MAX_ORDER)
        block = rack_block(request.floor, p, *request.planes)
        (x, y), (across, down) = request.floor.steps, block
        sizes = [(-(-least // height), height) for height in range(1, min(least, MAX_ORDER) + 1)]
        fitting = [size for size in sizes if math.prod(size) <= most and _fits(size, block, request.floor)]
        if fitting and least > LEAST_LINKS:
            width, height = min(
                fitting, key=lambda size: (size[0] * x * down + size[1] * y * across, math.prod(size))
            )
            yield p, Layout("grid", width, height)


def _fits(size: tuple[int, int], block: tuple[int, int], floor: Floor) -> bool:
    """Say whether a grid with given numbers of routers along x and y has room on a floor."""
    across, down = (-(-routers // shared) for routers, shared in zip(size, block, strict=True))
    x, y = floor.steps
    width, depth = across * x, (down - 1) * y + micrometres(floor.rack_depth)
    rooms = ((width, floor.width), (depth, floor.depth))
    return all(room is None or metres / MICROMETRES <= room for metres, room in rooms)


def _balanced_length(layout: Layout, degree: int) -> int:
    """Return the length whose bound on distances is nearest to the bound of the degree; the shorter of two.

    Source: Nakano et al. (2016), section VII.
    """
    pairs = pairs_within(layout)
    wanted = layout.order * router_distance_sum_lower_bound(layout.order, degree)
    return min(
        range(1, layout.longest + 1), key=lambda length: (abs(length_hop_sum(pairs, length) - wanted), length)
    )


def copper_length(layout: Layout, block: tuple[int, int], floor: Floor, prices: Prices) -> int:
    """Return the longest link whose cable is electrical wherever it is on the grid; 0 for none."""
    limits = [kind.up_to_metres for kind in prices.cables if kind.medium == "electrical"]
    if None in limits:
        return layout.longest
    dx, dy = (np.arange(size, dtype=np.int64) for size in (layout.width, layout.height))
    steps = np.stack(np.meshgrid(-(-dx // block[0]), -(-dy // block[1])), axis=-1).reshape(-1, 2)
    lowest = block[0] * block[1] - 1  # routers are at the top of a rack
    units = np.array([[lowest, 0 if floor.tray is None else lowest]])
    cables = floor.lengths(steps, np.repeat(units, len(steps), axis=0), floor.inside)
    apart = np.add.outer(dy, dx).ravel()
    electrical = micrometres(max((limit for limit in limits if limit is not None), default=0))
    return int(apart[cables > electrical].min(initial=layout.longest + 1)) - 1


def drawn_on_grid(one: Prospect, request: DesignRequest, threads: int) -> Topology:
    """Draw a random network on a prospect's grid, within the length limit, with its endpoints."""
    claims = one.claims
    problem = Problem(claims.order, claims.network_radix, one.layout, one.length_limit)
    [slots] = random_starts(problem, [ALONE], Draws.seeded(request.seed), threads)
    return replace(
        problem.topology(slots, ALONE),
        endpoints_per_router=uniform_endpoints(claims.order, one.concentration),
    )
