"""What lies in the trays, held against one cable after the other."""

from collections import Counter

import numpy as np
import pytest

from topoctl.analysis.floor_plan import floor_plan
from topoctl.families import topology_from_spec
from topoctl.floor.floor import floor_named
from topoctl.floor.trays import trays

pytestmark = pytest.mark.once


@pytest.mark.parametrize("spec", ["slimfly(q=5,p=4)", "dragonfly(p=2,a=4,h=2)", "torus(dims=4x5x6)"])
def test_every_cable_is_in_all_stretches_of_its_way(spec):
    topology = topology_from_spec(spec)
    plan, links = floor_plan(topology, floor_named("slimfly2014")), topology.graph.links()
    lengths = plan.link_lengths(links)
    racks = plan.rack_of[links]
    media = np.where(lengths % 3 == 0, "electrical", "optical")  # of either kind, wherever they are
    walked = Counter()
    least = plan.places.min(axis=0)
    for medium, (tail, head) in zip(media.tolist(), racks.tolist(), strict=True):
        (x, y), (to_x, to_y) = (plan.places[tail] - least).tolist(), (plan.places[head] - least).tolist()
        while (x, y) != (to_x, to_y):
            step = (1 if to_x > x else -1, 0) if x != to_x else (0, 1 if to_y > y else -1)
            walked[medium, "xy"[step[0] == 0], min(y, y + step[1]), min(x, x + step[0])] += 1
            x, y = x + step[0], y + step[1]
    found = Counter()
    for one in trays(plan, racks, lengths, media):
        own = media == one.medium
        assert (one.cables, one.inside) == (own.sum(), (racks[own, 0] == racks[own, 1]).sum())
        assert (one.metres, one.longest) == (lengths[own].sum() / 1e6, lengths[own].max() / 1e6)
        for axis, counts in (("x", one.along), ("y", one.across)):
            for row, column in np.argwhere(counts).tolist():
                found[one.medium, axis, row, column] = counts[row, column]
    assert found == walked
