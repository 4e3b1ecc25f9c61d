"""An enumeration whose networks are measured as tasks is the same enumeration."""

import pytest

from topoctl.engine.enumeration_distances import DistancesOnEngine
from topoctl.engine.tasks import Local
from topoctl.errors import EngineLost
from topoctl.families import FAMILIES
from topoctl.search.enumeration.listing import WantedInstances, list_families
from topoctl.search.enumeration.ranking import Ranking
from topoctl.search.enumeration.windows import Window

pytestmark = pytest.mark.once


class Several(Local):
    """Has many tasks under way, and answers the last one first."""

    slots = 20

    def completed(self, timeout):
        self._waiting.reverse()
        return super().completed(timeout)


def ranking(*names):
    """Of these families, or of all."""
    families = [family for name, family in FAMILIES.items() if (name in names if names else family.lattice)]
    wanted = WantedInstances({"endpoints": Window(least=50, most=58)}, balanced=True)
    return Ranking(list_families(families, wanted), wanted.windows, ("aspl", "order"), threads=1)


def found(ranked):
    networks = [(one.topology.spec, one.distances) for one in ranked]
    measured = {structure.name: distances for structure, distances in ranked.measured.items()}
    return networks, ranked.refused, measured, ranked.fitting, ranked.undecided


def test_networks_measured_elsewhere_are_ranked_alike():
    elsewhere, shown = ranking(), []
    elsewhere.elsewhere = DistancesOnEngine(Several(threads=1), lambda name, networks: shown.append(networks))
    expected = found(ranking())
    assert len(expected[0]) > 20
    assert found(elsewhere) == expected
    assert max(shown) == Several.slots


def test_a_lost_engine_is_no_fault_of_a_network():
    class Lost(Local):
        def completed(self, timeout):
            raise EngineLost("gone")

    elsewhere = ranking("torus")
    elsewhere.elsewhere = DistancesOnEngine(Lost(threads=1), lambda *_: None)
    with pytest.raises(EngineLost):
        list(elsewhere)
