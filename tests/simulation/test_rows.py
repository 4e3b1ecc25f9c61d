"""The rows of simulations: which routings they are of, and that the number of threads does not matter."""

import pytest

from simulation.points import document_of
from topoctl.families import topology_from_spec
from topoctl.simulation.request import SimulationRequest

pytestmark = pytest.mark.once


def rows_of(spec, threads=1, leave_out=lambda line: None, **asked):
    request = SimulationRequest(cycles=2000, **asked)
    networks = [(topology_from_spec(spec), {"spec": spec, "file": None})]
    return document_of(request, networks, threads, leave_out=leave_out)["results"]


def test_no_row_depends_on_how_many_points_run_side_by_side():
    asked = {"routing": "ecmp,ugal-l,ugal-g", "traffic": "uniform,tornado", "load": (0.2, 0.9)}
    spec = "hyperx(dims=3x3,p=1)"
    assert rows_of(spec, 1, **asked) == rows_of(spec, 2, **asked)
