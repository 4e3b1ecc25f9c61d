"""Virtual channels beside those that an independent search of dependency graphs found."""

import numpy as np
import pytest

from oracles import table
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of

MINIMAL = table("routing/virtual_channels.tsv")
DETOURS = table("routing/virtual_channels_detours.tsv")
ROUTES = {
    "all minimal": "ecmp",
    "low": "lowest",
    "anynet": "anynet",
    "sssp": "spread",
    "VAL, all minimal halves": "valiant",
    "shortest and sub-shortest (no return to the source)": "equality-ugal",
}
SCHEMES = {
    "one class": "one",
    "hop index": "hops",
    "up/down segments": "segments",
    "first fit by destination": "destination-layers",
    "first fit by pair (LASH)": "pair-layers",
}


def specs_of(rows):
    return [*dict.fromkeys(row["spec"] for row in rows if ROUTES[row["routes"]] in ROUTINGS)]


def rows_of(rows, spec):
    for row in rows:
        if row["spec"] == spec and ROUTES[row["routes"]] in ROUTINGS:
            routes = ROUTINGS[ROUTES[row["routes"]]].routes(topology_from_spec(spec))
            yield row, channels_of(routes, SCHEMES[row["scheme"]]), routes


def paths_in_layers(found, routes):
    """How many destinations or pairs each layer has, as the table's note."""
    used = routes.topology.endpoints_per_router > 0
    layers = found.certificate.table
    if layers.ndim == 2:
        used = np.outer(used, used) & ~np.eye(len(used), dtype=bool)
    return " ".join(str(count) for count in np.bincount(layers[used]))


@pytest.mark.once
@pytest.mark.parametrize("spec", specs_of(MINIMAL))
def test_no_more_channels_than_known_and_the_same_layers(spec):
    for row, found, routes in rows_of(MINIMAL, spec):
        assert found.deadlock_free == (row["cdg_acyclic"] == "True"), row
        assert found.count <= int(row["virtual_channels"]), row
        if "layers" in found.scheme:
            assert paths_in_layers(found, routes) == row["note"]


@pytest.mark.once
@pytest.mark.parametrize("spec", specs_of(DETOURS))
def test_detours_need_no_more_channels_than_known(spec):
    for row, found, _ in rows_of(DETOURS, spec):
        assert found.deadlock_free
        assert found.count <= int(row["virtual_channels"]), row
