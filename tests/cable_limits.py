"""Cables between cabinets, slowly: their lengths by the places of routers, one pair after another."""

import numpy as np
from hypothesis import strategies as st

from topoctl.cable_limit import CableLimit
from topoctl.layout import Layout


def layouts(most=40):
    sides = st.integers(1, 9)
    built = st.builds(Layout, st.sampled_from(["grid", "diagrid"]), sides, sides)
    return built.filter(lambda layout: 2 <= layout.order <= most)


SIZES = st.sampled_from([1, 2, 3, 4, 6, 9])
LIMITS = st.builds(CableLimit, st.integers(1, 40), SIZES, SIZES, st.sampled_from([0, 2, 8]))


def cable(layout, limit, router, other):
    """By the definition of the cabinets' rows: x and y, or the diagonals."""
    (x, y), (a, b) = layout.positions[router].tolist(), layout.positions[other].tolist()
    across, along = abs(x - a), abs(y - b)
    if layout.kind == "diagrid":
        across, along = abs(x - a + y - b) // 2, abs(x - a - y + b) // 2
    return across * limit.width + along * limit.depth + limit.ends


def near(layout, limit):
    """Which routers may be linked: bool, shape (order, order)."""
    everywhere = range(layout.order)
    return np.array(
        [[a != b and cable(layout, limit, a, b) <= limit.millimetres for b in everywhere] for a in everywhere]
    )
