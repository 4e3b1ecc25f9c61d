"""One point: a load, simulated until its mean latency is as precise as asked, or until it is too much."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.simulation import Plan, Simulator, Sums, latency_of_bins, simulator_of

NO_END = 2**62
BATCH_CYCLES, FEWEST_BATCHES, MOST_BATCHES = 250, 16, 32
BATCH_PACKETS = 10
"""A batch is longer by as many cycles as it takes to send so many packets."""
SETTLED_AFTER = 4
"""Batches of warm-up at least."""
CARRIED = 0.98
"""A network that accepts a smaller share of what it is offered, beyond chance, is saturated."""
RISEN = 1.25
"""Where even the least latency of the last batches is so many times the most of the first ones, it rises."""
SATURATED_CYCLES, SATURATED_BATCHES = 20_000, 80
"""Of a saturated network at most, the latter if those are longer: what it accepts may drift for ever."""
STUCK_CYCLES = 5_000
"""Cycles in which no flit moves, though some are under way, after which none ever will."""
SHARES = (0.5, 0.95, 0.99, 0.999)
"""Of packets, whose latencies are told."""

COUNTS = ("cycle", "began", "length", "until", "warm_batches", "most_live", "ended")
"""What a point counts."""

OnCycles = Callable[[int], None]


@dataclass(frozen=True)
class Stopping:
    """When a point is known well enough.

    Attributes:
        precision: of the mean latency: half of its 95% interval, as a share of it.
        cycles: after which a point ends in any case.
    """

    precision: float = 0.01
    cycles: int = 100_000


@dataclass(frozen=True, eq=False)
class Point:
    """What a network does with traffic at one load. Times are in cycles.

    Attributes:
        offered: load, as a share of what the traffic has endpoints send.
        accepted: what arrives, as the same share.
        saturated: whether the network accepts less than it is offered; then latencies grow with the cycles
            simulated, and are those of the packets that have arrived.
        converged: whether the precision was reached.
        deadlocked: whether flits are under way, and none has moved for thousands of cycles.
        cycles: simulated in all.
        packets: measured.
        latency: mean, from the draw of a packet to the arrival of its last flit; None if none has arrived.
        half_width: of the 95% interval of the mean latency, by batch means; None if it is not known.
        percentiles: latencies that 50%, 95%, 99% and 99.9% of the packets do not pass.
        longest: latency.
        network_latency: mean, from the entry of the head.
        hops: mean, links between routers.
        least_accepted: by an endpoint, of those that anything arrives at, in flits a cycle.
        fairness: Jain's index of the shares that the endpoints could send of what they would.
        carried: float64, shape (routers * ports,): flits a cycle by output port.
        waiting: int64, shape (lines, 4): lines that wait, where the network is deadlocked.
    """

    offered: float
    accepted: float
    saturated: bool
    converged: bool
    deadlocked: bool
    cycles: int
    packets: int
    latency: float | None
    half_width: float | None
    percentiles: tuple[float, ...]
    longest: int
    network_latency: float | None
    hops: float | None
    least_accepted: float
    fairness: float
    carried: NDArray[np.float64] = field(repr=False)
    waiting: NDArray[np.int64] = field(repr=False)


def simulate_point(
    plan: Plan,
    offered: float,
    shares: NDArray[np.float64],
    stopping: Stopping,
    progress: OnCycles | None = None,
) -> Point:
    """Simulate one load.

    A run warms up until its flits no longer pile up from batch to batch. Then batches of equal length are
    measured, and merged two by two when they become many, so that their means depend on each other less and
    less: the method of batch means.

    Args:
        plan: of the simulation.
        offered: load.
        shares: float64, shape (endpoints,): what each endpoint sends at full load, in flits a cycle.
        stopping: when it is known well enough.
        progress: called with the cycles done, often; what it raises ends the point.
    """
    under_way = PointUnderWay(simulator_of(plan), offered, shares, int(plan.sizes.max()), stopping)
    while not under_way.ended:
        under_way.advance()
        if progress:
            progress(under_way.cycle)
    return under_way.point()


def is_stuck(simulator: Simulator, cycle: int) -> bool:
    """Return whether flits are under way in this cycle, and none has moved for long."""
    return simulator.live()[0] > 0 and cycle - simulator.moved() > STUCK_CYCLES


class PointUnderWay:
    """A point that is being simulated: batches of cycles, first of warm-up, then measured.

    Of each measured batch it has the packets that arrived, the sum of their latencies, and all flits. Where a
    batch is cut into parts, by whom or whether at all, changes nothing.

    Args:
        simulator: new, or restored to the cycle of `saved`.
        offered: load.
        shares: float64, shape (endpoints,): what each endpoint sends at full load, in flits a cycle.
        flits: of the largest packet.
        stopping: when the point is known well enough.
        saved: what `values` and `numbers` were, to go on from there.
    """

    def __init__(
        self,
        simulator: Simulator,
        offered: float,
        shares: NDArray[np.float64],
        flits: int,
        stopping: Stopping,
        saved: tuple[Mapping[str, Any], NDArray[np.int64]] | None = None,
    ) -> None:
        self.simulator, self.offered, self.shares = simulator, offered, shares
        self.sending, self.stopping = float(shares.sum()), stopping
        longest = max(1, stopping.cycles // (2 * FEWEST_BATCHES))
        self.shortest = min(BATCH_CYCLES + BATCH_PACKETS * flits, longest)
        self.cycle, self.began, self.length, self.until = 0, 0, self.shortest, self.shortest
        self.warm_batches, self.most_live, self.ended = 0, 1, False
        self.numbers = np.zeros((0, 3), dtype=np.int64)
        if saved is not None:
            values, self.numbers = saved
            for name in COUNTS:
                setattr(self, name, values[name])

    @property
    def values(self) -> dict[str, Any]:
        """All that a point needs to go on, beside `numbers` and its simulator, as JSON values."""
        return {name: getattr(self, name) for name in COUNTS}

    @property
    def warming_up(self) -> bool:
        """Whether flits may still pile up."""
        return self.began == 0

    def advance(self, most: int = NO_END) -> None:
        """Simulate what is left of a batch, or so many cycles of it."""
        until = min(self.until, self.cycle + most)
        self.cycle = self.simulator.run(until, not self.warming_up, NO_END, False)
        if self.cycle == self.until:
            if self.warming_up:
                self._warm_batch()
            else:
                self._measured_batch()

    def _warm_batch(self) -> None:
        """End a batch of warm-up; the last one where flits no longer pile up, or a quarter is over."""
        live = self.simulator.live()[0]
        self.warm_batches += 1
        rising = live > self.most_live or self.warm_batches < SETTLED_AFTER
        self.most_live = max(self.most_live, live)
        if rising and 4 * self.cycle < self.stopping.cycles:
            self.until = self.cycle + self.shortest
        else:
            self.simulator.clear()
            self.began = self.cycle
            self._begin_batch()

    def _measured_batch(self) -> None:
        """End a batch that is measured."""
        sums = self.sums()
        total = np.array([sums.delivered, sums.latency, sums.taken])
        self.numbers = np.vstack((self.numbers, total - self.numbers.sum(axis=0)))
        self._begin_batch()

    def _begin_batch(self) -> None:
        """Begin another batch to be measured, unless that is enough; many are merged two by two."""
        self.ended = self.done()
        if not self.ended and len(self.numbers) == MOST_BATCHES:
            self.numbers, self.length = self.numbers[::2] + self.numbers[1::2], 2 * self.length
        self.until = self.cycle + self.length

    def sums(self) -> Sums:
        """Return all that has been counted."""
        return Sums(*self.simulator.sums().tolist())

    def done(self) -> bool:
        """Return whether there is no more to be learnt, or no more time."""
        if self.cycle + self.length > self.stopping.cycles or self.stuck():
            return True
        enough = max(SATURATED_CYCLES, SATURATED_BATCHES * self.shortest)
        return self.known() or (self.saturated() and self.cycle >= enough)

    def known(self) -> bool:
        """Return whether what was asked is known: the latency, or what a saturated network accepts."""
        value, width = self.accepted() if self.saturated() else self.latency()
        enough = len(self.numbers) >= FEWEST_BATCHES and math.isfinite(width)
        return enough and value > 0 and width <= self.stopping.precision * value

    def latency(self) -> tuple[float, float]:
        """Return the mean latency, and half of its 95% interval."""
        packets, latencies, _ = self.numbers.T
        if not len(packets) or not packets.all():
            return math.inf, math.inf
        return float(latencies.sum() / packets.sum()), half_width(latencies / packets)

    def accepted(self) -> tuple[float, float]:
        """Return the mean accepted load, and half of its 95% interval."""
        if not len(self.numbers):
            return 0.0, math.inf
        rates = self.numbers[:, 2] / (self.length * self.sending)
        return float(rates.mean()), half_width(rates)

    def saturated(self) -> bool:
        """Return whether less is accepted than offered, beyond chance."""
        accepted, width = self.accepted()
        return accepted + width < CARRIED * self.offered or self.rising()

    def rising(self) -> bool:
        """Return whether latencies rise all the time, because sources fall behind."""
        packets, latencies, _ = self.numbers.T
        quarter = len(packets) // 4
        if quarter < FEWEST_BATCHES // 4 or not packets.all():
            return False
        means = latencies / packets
        return bool(means[-quarter:].min() > RISEN * means[:quarter].max())

    def stuck(self) -> bool:
        """Return whether flits are under way, and none moves."""
        return is_stuck(self.simulator, self.cycle)

    def point(self) -> Point:
        """Put together what was measured."""
        simulator, sums, offered, shares = self.simulator, self.sums(), self.offered, self.shares
        cycles, packets = max(1, self.cycle - self.began), sums.delivered
        stuck = self.stuck()
        _, width = self.latency() if len(self.numbers) else (0.0, math.inf)
        sending = shares > 0
        sent = simulator.sent()[sending] / (cycles * offered * shares[sending])
        taken = simulator.taken() / cycles
        return Point(
            offered=offered,
            accepted=self.accepted()[0],
            saturated=stuck or self.saturated(),
            converged=not stuck and self.known(),
            deadlocked=stuck,
            cycles=self.cycle,
            packets=packets,
            latency=sums.latency / packets if packets else None,
            half_width=width if math.isfinite(width) else None,
            percentiles=_percentiles(simulator.histogram()),
            longest=sums.longest,
            network_latency=sums.network_latency / packets if packets else None,
            hops=sums.hops / packets - 1 if packets else None,
            least_accepted=float(taken[taken > 0].min(initial=math.inf)) if taken.any() else 0.0,
            fairness=float(sent.sum() ** 2 / (len(sent) * (sent**2).sum())) if sent.any() else 1.0,
            carried=simulator.carried() / cycles,
            waiting=simulator.waiting() if stuck else np.zeros((0, 4), dtype=np.int64),
        )


def half_width(means: NDArray[np.float64]) -> float:
    """Return half of the 95% interval of the mean of several means, float64, by Student's t; inf of one."""
    from scipy.special import stdtrit

    count = len(means)
    return float(stdtrit(count - 1, 0.975) * means.std(ddof=1) / math.sqrt(count)) if count > 1 else math.inf


def _percentiles(histogram: NDArray[np.int64]) -> tuple[float, ...]:
    """Return the latencies that shares of the packets do not pass; those of a bin are taken as its middle."""
    if not histogram.any():
        return ()
    bounds, passed = latency_of_bins(), np.cumsum(histogram)
    bins = np.searchsorted(passed, np.array(SHARES) * passed[-1])
    middles: list[float] = ((bounds[bins] + bounds[bins + 1] - 1) / 2).tolist()
    return tuple(middles)
