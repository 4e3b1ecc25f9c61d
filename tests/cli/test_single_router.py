"""A network of one router: legal, without an average distance."""

import pytest

from commands import call, document

SPECS = ("hyperx(dims=1)", "hyperx(dims=1x1)", "torus(dims=1)", "mesh(dims=1x1)", "alone.edges")
NULL = ("aspl", "aspl_gap", "endpoint_aspl", "diameter_lower_bound", "aspl_lower_bound", "moore_order")


@pytest.fixture(autouse=True)
def file(folder):
    (folder / "alone.edges").write_text("# layout: grid 1x1\n")


@pytest.mark.parametrize("network", SPECS)
def test_one_router_is_measured(network):
    (row,) = document("evaluate", network)["results"]
    assert (row["order"], row["diameter"], row["distance_sum"], row["connected"]) == (1, 0, 0, True)
    assert all(row[name] is None for name in NULL)


def test_its_average_distance_is_a_dash():
    table = call("evaluate", "torus(dims=1)", "torus(dims=3)").stdout.splitlines()
    assert table[0].split().index("ASPL") == 7
    assert table[1].split()[7] == "–"


@pytest.mark.parametrize("network", SPECS)
def test_one_router_is_drawn(network, folder):
    pytest.importorskip("matplotlib")
    call("plot", network, "-o", "alone.svg")
    assert (folder / "alone.svg").stat().st_size > 0
