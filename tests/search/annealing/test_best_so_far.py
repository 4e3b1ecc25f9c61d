"""Networks numbered anew, so that a subgroup acts on them."""

import numpy as np
import pytest

from topoctl.families.cayley.group import Group
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts.best_so_far import renumbered, subgroups_of
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.draws import Draws

pytestmark = pytest.mark.once


@pytest.mark.parametrize("group", [Group(12, 1, 1), Group(4, 2, 3), Group(7, 3, 2), Group(3, 4, 2)])
def test_every_subgroup_maps_the_same_network_onto_itself(group):
    problem = Problem(3 * group.order, 4, None, None)
    slots = random_starts(problem, [group], Draws.seeded(1), threads=1)[0]
    network = problem.topology(slots, group)
    subgroups = subgroups_of(group)
    assert subgroups[0] == group
    assert subgroups[-1].order == 1
    for subgroup in subgroups:
        found = renumbered(slots, group, subgroup)
        topology = problem.topology(found, subgroup)
        assert topology.symmetry is None or topology.symmetry.holds_for(topology.graph)
        assert np.bincount(topology.graph.degrees).tolist() == np.bincount(network.graph.degrees).tolist()
        assert topology.graph.size == network.graph.size
    assert np.array_equal(renumbered(slots, group, group), slots)
