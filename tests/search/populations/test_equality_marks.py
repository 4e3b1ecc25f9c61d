"""How good the search is, measured in evaluations, not in time: marks that it must not fall behind."""

import pytest

from search.runs import run
from topoctl.kernels.backend import backend_name
from topoctl.papers.presets import preset_of
from topoctl.search.populations.equality import EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest

pytestmark = pytest.mark.skipif(
    backend_name() == "numpy",
    reason="millions of evaluations take many minutes in numpy; results are the same",
)


def published(order, network_radix):
    return preset_of("search equality", {"order": order, "network_radix": network_radix})


def best(order, network_radix, evaluations):
    search = EqualitySearch.plan(
        EqualityRequest(order=order, network_radix=network_radix, evaluations=evaluations, top=1), threads=1
    )
    found = search.status(run(search, threads=2))
    return found.best.diameter, found.best_aspl, found.bound_aspl


def test_the_published_example_is_beaten():
    diameter, aspl, _ = best(2048, 28, 3_000_000)
    assert diameter == 3
    assert aspl <= 2.672  # published: 2.717


@pytest.mark.parametrize(("order", "network_radix"), [(200, 24), (250, 32), (1400, 60)])
def test_optima_are_found_and_proven(order, network_radix):
    diameter, aspl, bound_aspl = best(order, network_radix, 2_000_000)
    assert (diameter, aspl) == (2, bound_aspl)
    assert aspl == pytest.approx(2 - network_radix / (order - 1))  # Moore's bound at diameter 2
    assert diameter <= published(order, network_radix).published.diameter


@pytest.mark.parametrize(
    ("order", "network_radix", "evaluations"),
    [
        (900, 32, 500_000),
        (4800, 38, 500_000),
        (9000, 40, 300_000),
        pytest.param(18000, 30, 200_000, marks=pytest.mark.thorough),
    ],
)
def test_published_networks_are_beaten(order, network_radix, evaluations):
    preset = published(order, network_radix)
    diameter, aspl, bound_aspl = best(order, network_radix, evaluations)
    assert bound_aspl <= aspl < preset.published_aspl
    assert diameter <= preset.published.diameter
