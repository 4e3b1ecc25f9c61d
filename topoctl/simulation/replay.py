"""The packets of a list on a network, each sent once, simulated until all have arrived."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.errors import InvalidParameters
from topoctl.kernels.simulation import Plan, Sums
from topoctl.simulation.packet_files import Packets
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import Point, Saved, percentiles
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.to_the_end import ToTheEnd


@dataclass(frozen=True, eq=False)
class ReplayCase:
    """Packets for a network.

    Attributes:
        network: laid out for simulation.
        name: of their file.
        packets: what is sent.
    """

    network: Simulated
    name: str
    packets: Packets

    @property
    def mean_flits(self) -> float:
        """Mean flits of a packet."""
        return float(self.packets.rows[:, 3].mean())

    def plan(self, seed: int) -> Plan:
        """Return what the kernel follows."""
        return self.network.plan_of_packets(self.packets.fields(self.network.topology.endpoints), seed)


class ReplayUnderWay(ToTheEnd[Point]):
    """Packets of a list that are being sent.

    Args:
        case: what is sent, and where.
        request: how it is simulated; its cycles are those after which it ends in any case.
        saved: where to go on from; it begins anew without the arrays of the simulator.

    Raises:
        InvalidParameters: no packet is there, or one that is made when the last cycle is over.
    """

    def __init__(self, case: ReplayCase, request: SimulationRequest, saved: Saved | None = None) -> None:
        rows = case.packets.rows
        if not len(rows):
            raise InvalidParameters(f"{case.name}: no packets: expected one or more")
        if rows[:, 1].max() >= request.most_cycles:
            raise InvalidParameters(
                f"{case.name}: a packet of cycle {rows[:, 1].max()}: expected cycles below --cycles "
                f"{request.most_cycles}"
            )
        self.case, self.sent_until = case, int(rows[:, 1].max()) + 1
        unproven = not case.network.channels.deadlock_free
        super().__init__(
            case.plan(request.seed),
            len(rows),
            request.most_cycles,
            unproven=unproven,
            saved=saved,
            last=self.sent_until,
        )

    def left(self) -> int:
        """Return how many packets have not arrived."""
        return self.things - self._sums().delivered

    def _sums(self) -> Sums:
        return Sums(*self.simulator.sums().tolist())

    def found(self) -> Point:
        """Return what became of them; loads are shares of what all endpoints could send and take."""
        simulator, sums, cycles = self.simulator, self._sums(), max(1, self.cycle)
        packets, endpoints = sums.delivered, self.case.network.topology.endpoints
        taken, reached = simulator.taken() / cycles, simulator.reached()
        return Point(
            offered=float(self.case.packets.rows[:, 3].sum()) / (endpoints * self.sent_until),
            accepted=sums.taken / (endpoints * cycles),
            saturated=self.circle is not None,
            converged=not self.left(),
            circle=self.circle,
            cycles=self.cycle,
            packets=packets,
            latency=sums.latency / packets if packets else None,
            half_width=None,
            percentiles=percentiles(simulator.histogram()),
            longest=sums.longest,
            network_latency=sums.network_latency / packets if packets else None,
            hops=sums.hops / packets - 1 if packets else None,
            least_accepted=float(taken.min()),
            fairness=float(reached.sum() ** 2 / (len(reached) * (reached**2).sum())),
            histogram=simulator.histogram(),
            sent=simulator.sent() / cycles,
            taken=taken,
            carried=simulator.carried() / cycles,
        )
