"""What the annealed exchange of links refuses."""

from dataclasses import replace

import numpy as np
import pytest

from kernels.link_annealing.instances import on_layout, within
from topoctl.errors import InvalidParameters
from topoctl.kernels.link_annealing import LinkWalk, Neighborhood, anneal_links
from topoctl.layout import Layout

pytestmark = pytest.mark.usefixtures("each_backend")
PLAIN = LinkWalk(rotation_order=1, moves=20)


def grid_arguments():
    """A 4x4 grid of radix 3 and limit 2 that may be turned by 90 degrees."""
    instance = on_layout(Layout("grid", 4, 4), 2, 4, 3)
    return {
        "neighborhood": instance.neighborhood,
        "slots": instance.slots[None],
        "generators": instance.generators[None],
        "walks": [replace(PLAIN, rotation_order=4)],
        "seeds": np.zeros(1, dtype=np.uint64),
        "temperatures": np.zeros((1, 1), dtype=np.int64),
    }


def linked(*links):
    """Slots of 16 routers with these links."""
    slots = np.full((1, 16, 3), -1, dtype=np.int32)
    for a, b in links:
        slots[0, a, (slots[0, a] >= 0).sum()] = b
    return slots


def both_ways(*links):
    return linked(*links, *((b, a) for a, b in links))


QUARTER = Layout("grid", 4, 4).rotation(4)
GRID = within(Layout("grid", 4, 4), 2)
CORNERS = [(0, 1), (3, 7), (15, 14), (12, 8)]
STILL = np.arange(16, dtype=np.int32)


def generated(rotation, second=STILL):
    return np.stack([[rotation, second]])


REFUSED = [
    ({"slots": np.zeros((16, 3), dtype=np.int32)}, r"slots: int32 of shape \(16, 3\), expected 3"),
    ({"slots": linked().astype(np.int64)}, "slots: int64"),
    ({"slots": np.zeros((1, 0, 3), dtype=np.int32)}, r"slots of shape \(1, 0, 3\)"),
    ({"slots": np.zeros((1, 16, 0), dtype=np.int32)}, r"slots of shape \(1, 16, 0\)"),
    ({"walks": []}, "0 walks, 1 seeds, .*: expected 1 of each"),
    ({"seeds": np.zeros(2, dtype=np.uint64)}, "1 walks, 2 seeds"),
    ({"seeds": np.zeros(1, dtype=np.int64)}, "seeds: int64"),
    ({"temperatures": np.zeros(1, dtype=np.int64)}, r"temperatures: int64 of shape \(1,\), expected 2"),
    ({"temperatures": np.zeros((1, 1))}, "temperatures: float64"),
    ({"temperatures": np.zeros((2, 1), dtype=np.int64)}, "2 rows of temperatures: expected 1 of each"),
    ({"temperatures": np.zeros((1, 0), dtype=np.int64)}, "temperatures of no steps: expected at least one"),
    ({"temperatures": np.full((1, 1), -1)}, r"temperatures -1\.\.-1: expected 0\.\.1099511627775"),
    ({"temperatures": np.full((1, 1), 2**40)}, r"temperatures 1099511627776\.\..*: expected 0\.\."),
    ({"generators": STILL[None]}, r"generators: int32 of shape \(1, 16\), expected 3"),
    ({"generators": generated(STILL).astype(np.int64)}, "generators: int64"),
    ({"generators": generated(STILL // 2)}, "a rotation that is no permutation of its 16 routers"),
    ({"generators": generated(STILL, STILL + 1)}, "a rotation that is no permutation"),
    (
        {"generators": generated(np.roll(STILL, 4))},
        "a rotation that takes routers further apart than the limit 2",
    ),
    ({"generators": generated(STILL)}, "not all orbits of the rotation have 4 routers"),
    ({"generators": generated(QUARTER, QUARTER)}, "a second generator of order 1 that is not the identity"),
    ({"walks": [replace(PLAIN, rotation_order=2)]}, "2 rotations are not the identity"),
    ({"walks": [replace(PLAIN, rotation_order=8)]}, "not all orbits of the rotation have 8 routers"),
    ({"slots": both_ways(*CORNERS[:3])}, "walker 0: the symmetry does not map the network onto itself"),
    ({"slots": linked((0, 16), (1, 0))}, "walker 0: slots that are no router"),
    ({"slots": np.full((1, 16, 3), -2, dtype=np.int32)}, "walker 0: slots that are no router"),
    ({"slots": both_ways(*CORNERS)[:, :, ::-1]}, "walker 0: slots .* or a gap between them"),
    ({"slots": linked(*CORNERS)}, "walker 0: slots are not the neighbours of a simple undirected graph"),
    ({"slots": both_ways(*CORNERS, *CORNERS)}, "not the neighbours of a simple undirected graph"),
    ({"slots": linked(*((r, r) for r in range(16)))}, "not the neighbours of a simple undirected graph"),
    ({"slots": both_ways((0, 3), (3, 15), (15, 12), (12, 0))}, "walker 0: a link longer than the limit 2"),
    ({"neighborhood": replace(GRID, offsets=GRID.offsets.astype(np.int32))}, "neighborhood offsets: int32"),
    ({"neighborhood": replace(GRID, routers=GRID.routers.astype(np.int64))}, "neighborhood routers: int64"),
    ({"neighborhood": replace(GRID, routers=GRID.routers + 1)}, "neighborhood routers: value 16"),
    (
        {"neighborhood": replace(GRID, offsets=GRID.offsets[:-1])},
        "neighborhood offsets do not fit 16 routers",
    ),
    ({"neighborhood": replace(GRID, offsets=GRID.offsets[::-1].copy())}, "offsets do not fit 16 routers"),
    ({"neighborhood": replace(GRID, offsets=GRID.offsets // 2)}, "offsets do not fit 16 routers"),
    ({"neighborhood": replace(GRID, offsets=GRID.offsets * (np.arange(17) != 5))}, "offsets do not fit"),
    ({"neighborhood": replace(GRID, routers=GRID.routers * 0)}, "a router may not be linked to itself"),
    ({"neighborhood": replace(GRID, limit=1)}, "neighborhood: a pair further apart than the limit 1"),
    ({"neighborhood": replace(GRID, limit=-1)}, "limit -1, diagonals -3..6: expected a limit in 0"),
    ({"neighborhood": replace(GRID, limit=2**31)}, "limit 2147483648, diagonals"),
    ({"neighborhood": replace(GRID, diagonals=GRID.diagonals - 2**30)}, "diagonals .* of 0"),
    (
        {"neighborhood": replace(GRID, diagonals=GRID.diagonals[:8])},
        r"diagonals of shape \(8, 2\): expected \(16, 2\)",
    ),
    ({"neighborhood": replace(GRID, diagonals=GRID.diagonals * 1.0)}, "diagonals: float64"),
    (
        {"neighborhood": replace(Neighborhood.unlimited(16), diagonals=GRID.diagonals)},
        "limit 0, which not all links keep: expected offsets",
    ),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_wrong_arrays_are_refused(change, reason):
    arguments = grid_arguments()
    anneal_links(**arguments)
    with pytest.raises(InvalidParameters, match=reason):
        anneal_links(**(arguments | change))


TURN = np.arange(12, dtype=np.int32).reshape(4, 3)


@pytest.mark.parametrize(
    ("second", "order", "reason"),
    [
        (TURN[[1, 0, 3, 2]], 4, "not all orbits of both generators have 4 rotations"),
        (TURN, 2, "not all orbits of both generators have 2 rotations"),
        (TURN[[1, 2, 3, 0]], 2, "2 rotations are not the identity"),
        (TURN[[1, 0, 2, 3]], 2, "not all orbits of both generators have 2 rotations"),
        (np.concatenate([TURN[[1, 0]], TURN[[3, 2]][:, [0, 2, 1]]]), 2, "do not make a group"),
    ],
    ids=["too few", "none", "too many", "some at rest", "turned in two ways"],
)
def test_second_generators_that_make_no_group_are_refused(second, order, reason):
    rotation = np.roll(TURN, -1, axis=1)
    with pytest.raises(InvalidParameters, match=reason):
        anneal_links(
            Neighborhood.unlimited(12),
            np.full((1, 12, 2), -1, dtype=np.int32),
            np.stack([[rotation.ravel(), second.ravel()]]),
            [replace(PLAIN, rotation_order=3, second_order=order)],
            np.zeros(1, dtype=np.uint64),
            np.zeros((1, 1), dtype=np.int64),
        )


@pytest.mark.parametrize(
    "change",
    [
        {"rotation_order": 0},
        {"rotation_order": 17},
        {"second_order": 0},
        {"second_order": 5},
        {"target": -1},
        {"target": 17},
        {"weight": 0},
        {"weight": 2**16 + 1},
        {"slack": -2},
        {"slack": 2**16 + 1},
        {"method": "guess"},
        {"moves": -1},
        {"moves": 2**40},
        {"goal_diameter": -1},
        {"goal_diameter": 2**63},
        {"goal_sum": -1},
        {"goal_sum": 2**63},
    ],
    ids=str,
)
def test_wrong_walks_are_refused(change):
    arguments = grid_arguments()
    walk = replace(arguments["walks"][0], **change)
    with pytest.raises(InvalidParameters, match=r"walk 0: .*(out of range|of 64 bits)"):
        anneal_links(**(arguments | {"walks": [walk]}))


def test_energies_that_do_not_fit_are_refused():
    order = 50_000
    with pytest.raises(InvalidParameters, match="walk 0: weight 65536, too large for 50000 routers"):
        anneal_links(
            Neighborhood.unlimited(order),
            np.full((1, order, 1), -1, dtype=np.int32),
            np.stack([[np.arange(order, dtype=np.int32)] * 2]),
            [replace(PLAIN, weight=2**16)],
            np.zeros(1, dtype=np.uint64),
            np.zeros((1, 1), dtype=np.int64),
        )
