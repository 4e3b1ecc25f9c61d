"""The rows of simulations: which routings they are of, and that the number of threads does not matter."""

import pytest

from simulation.points import document_of
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.simulation.request import SimulationRequest

pytestmark = pytest.mark.once


def rows_of(spec, threads=1, leave_out=lambda line: None, **asked):
    request = SimulationRequest(cycles=2000, **asked)
    networks = [(topology_from_spec(spec), {"spec": spec, "file": None})]
    return document_of(request, networks, threads, leave_out=leave_out)["results"]


def test_all_routings_are_those_that_are_simulated_and_others_are_named():
    lines = []
    rows = rows_of("torus(dims=4x3,p=1)", leave_out=lines.append, routing="all", load=(0.1,))
    assert {"ecmp", "dor", "valiant", "ugal-l", "updown"} <= {row["routing"] for row in rows}
    assert not {"ugal-g", "valiant-3hops"} & {row["routing"] for row in rows}
    assert any("ugal-g" in line for line in lines)


def test_a_routing_that_is_not_simulated_is_refused():
    with pytest.raises(InvalidParameters, match="ugal-g is not simulated"):
        rows_of("torus(dims=4x3,p=1)", routing="ugal-g", load=(0.1,))


def test_no_row_depends_on_how_many_points_run_side_by_side():
    asked = {"routing": "ecmp,ugal-l", "traffic": "uniform,tornado", "load": (0.2, 0.9)}
    spec = "hyperx(dims=3x3,p=1)"
    assert rows_of(spec, 1, **asked) == rows_of(spec, 2, **asked)
