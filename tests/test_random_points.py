"""A small sample of points at random; and what the looks at them find where nothing is proven."""

import random

from random_points import faults_of, tried
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels.certificate import Channels


def test_no_packet_is_lost_or_waits_for_ever():
    counts, faults = tried(seed=1, number=0)
    assert counts.total() > 0
    assert not faults


def test_a_deadlock_is_found():
    topology = topology_from_spec("torus(dims=7,p=2)")
    unproven = Channels("one", 1, None)
    way = (ROUTINGS["ecmp"], ROUTINGS["ecmp"].routes(topology), unproven)
    assert "deadlocked" in {faults_of(topology, way, random.Random(number)) for number in range(40)}
