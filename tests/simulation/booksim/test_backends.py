"""The compiled simulator and its twin, on every network and routing function of BookSim."""

import pytest

from kernels.backends import BACKENDS, needs_native
from simulation.booksim.configurations import EVERY, NAMES, configured
from topoctl.simulation.booksim.experiment import plan_of

BUSY = {"injection_rate": "0.4", "injection_rate_uses_flits": "1", "packet_size": "{{1,3}}"}


def told(backend, plan):
    """What a simulation tells after its statistics have begun anew, of packets made since then."""
    simulator = BACKENDS[backend].simulator_of(plan)
    simulator.run(20, True, 2**62, False)
    simulator.clear()
    simulator.forget()
    simulator.run(70, True, 2**62, False)
    arrays = (simulator.sums(), simulator.packets(), simulator.unfinished(), simulator.carried())
    return [array.tolist() for array in arrays]


@needs_native
@pytest.mark.parametrize("values", [values for _, values in EVERY], ids=NAMES)
def test_both_simulate_the_same(values):
    plan = plan_of(configured(values | BUSY), logged=True)
    found = told("native", plan)
    assert len(found[1]) > 40
    assert found == told("numpy", plan)
