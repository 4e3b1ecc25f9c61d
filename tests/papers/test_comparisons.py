"""The papers' tables: ours equal what is printed, or a remark says why not."""

import pytest

from commands import call, document
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.papers.comparisons import comparison, comparisons, our_value

VALUES = [
    pytest.param(network, quantity, id=f"{name}-{network.label}-{quantity}")
    for name, known in comparisons().items()
    for network in known.networks
    for quantity in network.published
]


@pytest.mark.parametrize(("network", "quantity"), VALUES)
def test_equal_or_remarked(network, quantity):
    equal = our_value(network.spec, quantity) == network.published[quantity]
    assert equal == (quantity not in network.remarks)
    assert set(network.remarks) <= set(network.published)


def test_closed_forms_of_the_tables_are_those_of_the_built_networks():
    for name in ("flex_table6", "slimfly_balanced"):
        for network in comparison(name).networks:
            topology = topology_from_spec(network.spec)
            built = (topology.graph.order, topology.graph.size, topology.endpoints, topology.router_radix)
            quantities = ("order", "size", "endpoints", "router_radix")
            assert built == tuple(our_value(network.spec, quantity) for quantity in quantities)


def test_misprints_stay_as_printed():
    """FleX, Table 6: the Slim Fly of 972 endpoints has p = 6 and k' = 13."""
    rows = document("presets", "compare", "flex_table6")["results"]
    (row,) = (row for row in rows if row["label"] == "Slim Fly" and row["quantity"] == "router_radix")
    assert (row["published"], row["ours"], row["equal"]) == (20, 13 + 6, False)
    assert "misprint" in row["remark"]
    assert sum(row["equal"] is False for row in rows) == 1


def test_tables_are_listed_and_found():
    names = [row["name"] for row in document("presets", "compare")["results"]]
    assert names == sorted(comparisons())
    assert "Theorem 2" in call("presets", "compare", "TCT_Table2").stdout
    refusal = call("presets", "compare", "flex_table", code=2).stderr
    assert "did you mean flex_table6?" in refusal


def test_an_unknown_quantity_is_refused():
    with pytest.raises(InvalidParameters, match="quantity 'diametre' is unknown; did you mean diameter"):
        our_value("tofu(k=3)", "diametre")
