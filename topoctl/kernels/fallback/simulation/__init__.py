"""The simulator in plain Python: slow, obvious, and equal to the compiled one in every packet."""

from topoctl.kernels.fallback.simulation.simulator import Simulator

__all__ = ["Simulator", "simulator_of"]

simulator_of = Simulator
