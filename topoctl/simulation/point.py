"""One point: a load, simulated until its mean latency is as precise as asked, or until it is too much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.simulation import Plan, Simulator, Sums, latency_of_bins
from topoctl.simulation.plans import Sending
from topoctl.simulation.waiting import Channel, waiting_cycle

NO_END = 2**62
BATCH_CYCLES, FEWEST_BATCHES, MOST_BATCHES = 250, 16, 32
MANY_ENDPOINTS, LEAST_BATCH_CYCLES = 2500, 50
"""Of more endpoints fewer cycles of a batch tell as much, down to some times the latency of a packet."""
BATCH_PACKETS = 10
"""A batch is longer by the cycles that it takes to send so many packets, and by those of a cable."""
SETTLED_AFTER = 4
"""Batches of warm-up at least."""
FALLS_BEHIND = 0.01
"""Where more than this part of every cycle is added to what is left behind, a network is saturated."""
LEFT_BEHIND = 1
"""Flits that have to be added at least: where few are sent, a single one is a large part."""
SATURATED_CYCLES, SATURATED_BATCHES = 20_000, 80
"""Of a saturated network at most, the latter if those are longer: what it accepts may drift for ever."""
SHARES = (0.5, 0.95, 0.99, 0.999)
"""Of packets, whose latencies are told."""

COUNTS = ("cycle", "began", "length", "until", "warm_batches", "most_live", "ended")
"""What a point counts."""
PARTS = 16
"""Of an epoch, after each of which it can be left."""


@dataclass(frozen=True)
class Stopping:
    """When a point ends.

    Attributes:
        precision: of the mean latency: half of its 95% interval, as a share of it.
        cycles: after which a point ends in any case.
        every: cycles of which numbers are told by themselves too; None for none.
        unproven: whether packets may deadlock, so that it is looked for those that do; they end the point.
    """

    precision: float = 0.01
    cycles: int = 100_000
    every: int | None = None
    unproven: bool = False


@dataclass(frozen=True)
class Window:
    """What a network did in some cycles. Latencies and hops are of the packets that arrived; None for none.

    Attributes:
        cycle: in which they begin.
        packets: that arrived.
        latency: mean.
        latency_p99: that 99% of the packets do not pass.
        network_latency: mean, from the entry of the head.
        mean_hops: links between routers.
        accepted_load: what arrived, as a share of what the traffic has endpoints send.
        largest_link_load: flits a cycle.
        mean_simulated_link_load: flits a cycle.
    """

    cycle: float
    packets: float
    latency: float | None
    latency_p99: float | None
    network_latency: float | None
    mean_hops: float | None
    accepted_load: float
    largest_link_load: float
    mean_simulated_link_load: float


NAMES = tuple(one.name for one in fields(Window))


@dataclass(frozen=True, eq=False)
class Point:
    """What a network does with traffic at one load. Times are in cycles.

    Attributes:
        offered: load, as a share of what the traffic has endpoints send.
        accepted: what arrives, as the same share.
        saturated: whether sources fall behind for ever; then latencies grow with the cycles simulated, and
            are those of the packets that have arrived.
        converged: whether the precision was reached.
        circle: channels whose packets wait for each other, where the network is deadlocked.
        cycles: simulated in all.
        packets: that arrived while it was measured.
        latency: mean, from the draw of a packet to the arrival of its last flit; None if none has arrived.
        half_width: of the 95% interval of the mean latency, by batch means; None if it is not known.
        percentiles: latencies that 50%, 95%, 99% and 99.9% of the packets do not pass.
        longest: latency.
        network_latency: mean, from the entry of the head.
        hops: mean, links between routers.
        least_accepted: by an endpoint, of those that anything is sent to, in flits a cycle.
        fairness: Jain's index of the shares that the endpoints could send of what they would.
        histogram: int64, shape (bins,): packets by latency.
        sent: float64, shape (endpoints,): flits a cycle.
        taken: float64, shape (endpoints,): flits a cycle.
        carried: float64, shape (routers * ports,): flits a cycle by output port.
        windows: the same by time, where that was asked for.
    """

    offered: float
    accepted: float
    saturated: bool
    converged: bool
    circle: tuple[Channel, ...] | None
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
    histogram: NDArray[np.int64] = field(repr=False)
    sent: NDArray[np.float64] = field(repr=False)
    taken: NDArray[np.float64] = field(repr=False)
    carried: NDArray[np.float64] = field(repr=False)
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True)
class Saved:
    """Where a simulation under way can go on from.

    Attributes:
        values: its `values`.
        arrays: its `arrays`.
        kernel: the arrays of its `kernel`; None where nobody here reads them.
    """

    values: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    kernel: Mapping[str, NDArray[Any]] | None


class PointUnderWay:
    """A point that is being simulated: batches of cycles, first of warm-up, then measured.

    A run warms up until its flits no longer pile up from batch to batch. Then batches of equal length are
    measured, and merged two by two when they become many, so that their means depend on each other less and
    less: the method of batch means. Where traffic changes it warms up until the last change, and is measured
    to the last cycle.

    Of each measured batch it has the packets that arrived, the sum of their latencies, all flits, and the
    lag: the cycles by which sources are behind, as they make packets, and those that it would take to send
    what is in the network. Draws have no part in the lag: where all is carried, it does not grow. Where a
    batch is cut into parts, by whom or whether at all, changes nothing.

    Args:
        simulator: new, or restored to the cycle of `saved`.
        plan: that it follows.
        offered: load.
        sending: the traffic.
        stopping: when the point is known well enough.
        saved: what `values` and `arrays` were, to go on from there.
    """

    def __init__(
        self,
        simulator: Simulator,
        plan: Plan,
        offered: float,
        sending: Sending,
        stopping: Stopping,
        saved: tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]] | None = None,
    ) -> None:
        self.simulator, self.plan, self.offered, self.sending = simulator, plan, offered, sending
        self.stopping, self.changed = stopping, int(sending.since[-1])
        self.shares: NDArray[np.float64] = sending.shares[-1]
        self.rate = float(self.shares.sum())
        longest = max(1, stopping.cycles // (2 * FEWEST_BATCHES))
        packets = BATCH_PACKETS * int(plan.sizes.max())
        enough = BATCH_CYCLES * MANY_ENDPOINTS // max(MANY_ENDPOINTS, len(plan.entries))
        batch = max(LEAST_BATCH_CYCLES, enough) + packets + int(plan.delays.max()) - 1
        self.shortest = min(batch, longest)
        self.cycle, self.began, self.length = 0, 0, self.shortest
        self.until = self.changed or self.shortest
        self.warm_batches, self.most_live, self.ended = 0, 1, False
        self.numbers, self.lags = np.zeros((0, 3), dtype=np.int64), np.zeros(0)
        self.reached = np.zeros(len(plan.entries), dtype=np.int64)
        self.circle: tuple[Channel, ...] | None = None
        self.course = _Course(simulator, plan, sending, stopping.every)
        if saved is not None:
            values, arrays = saved
            self.numbers, self.lags, self.reached = (arrays[name] for name in ("numbers", "lags", "reached"))
            self.course.restore(arrays)
            for name in COUNTS:
                setattr(self, name, values[name])

    @property
    def values(self) -> dict[str, Any]:
        """All that a point needs to go on, beside `arrays` and its simulator, as JSON values."""
        return {name: getattr(self, name) for name in COUNTS}

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The numbers of the batches, and those by time."""
        return {"numbers": self.numbers, "lags": self.lags, "reached": self.reached, **self.course.arrays}

    @property
    def warming_up(self) -> bool:
        """Whether flits may still pile up, or traffic changes."""
        return self.began == 0

    def advance(self, most: int = NO_END) -> None:
        """Simulate what is left of a batch, or so many cycles of it."""
        until = min(self.until, self.cycle + most)
        while self.cycle < until:
            self.cycle = self.simulator.run(min(until, self.course.ends), True, NO_END, False)
            if self.cycle == self.course.ends:
                self.course.add(self.cycle)
        if self.cycle < self.until:
            return
        if self.stopping.unproven:
            plan = self.plan
            self.circle = waiting_cycle(self.simulator.waiting(), plan.ends, plan.channels, plan.buffer)
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
        if not self.changed and self.circle is None and rising and 4 * self.cycle < self.stopping.cycles:
            self.until = self.cycle + self.shortest
        else:
            self.course.clear()
            self.began, self.reached = self.cycle, self.simulator.reached()
            self._begin_batch()

    def _measured_batch(self) -> None:
        """End a batch that is measured; what is left of the last cycles is none."""
        if self.cycle - self.began == self.length * (len(self.numbers) + 1):
            sums = self.sums()
            total = np.array([sums.delivered, sums.latency, sums.taken])
            self.numbers = np.vstack((self.numbers, total - self.numbers.sum(axis=0)))
            self.lags = np.append(self.lags, self.lag())
        self._begin_batch()

    def _begin_batch(self) -> None:
        """Begin another batch to be measured, unless that is enough; many are merged two by two."""
        if self.changed and self.circle is None:
            self.ended = self.cycle == self.stopping.cycles
        else:
            self.ended = self.done()
        if not self.ended and len(self.numbers) == MOST_BATCHES:
            self.numbers, self.length = self.numbers[::2] + self.numbers[1::2], 2 * self.length
            self.lags = (self.lags[::2] + self.lags[1::2]) / 2
        self.until = min(self.cycle + self.length, self.stopping.cycles)
        if self.ended and self.stopping.every is not None and self.cycle > self.course.begins:
            self.course.add(self.cycle)

    def lag(self) -> float:
        """Return how far what arrives is behind what is offered: at the sources, and in the network."""
        at_sources = self.cycle - self.shares @ self.simulator.reached() / self.rate
        return float(at_sources + self.simulator.live()[0] / (self.offered * self.rate))

    def sums(self) -> Sums:
        """Return all that has been counted."""
        return Sums(*self.simulator.sums().tolist())

    def done(self) -> bool:
        """Return whether there is no more to be learnt, or no more time."""
        if self.cycle + self.length > self.stopping.cycles or self.circle is not None:
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
        rates = self.numbers[:, 2] / (self.length * self.rate)
        return float(rates.mean()), half_width(rates)

    def saturated(self) -> bool:
        """Return whether sources fall behind all the time: the latter half of the batches by the former."""
        half = len(self.lags) // 2
        if not half:
            return False
        behind = self.lags[-half:].mean() - self.lags[:half].mean()
        part = FALLS_BEHIND * (len(self.lags) - half) * self.length
        return bool(behind > part and behind * self.offered * self.rate > LEFT_BEHIND)

    def point(self) -> Point:
        """Put together what was measured."""
        simulator, sums, shares = self.simulator, self.sums(), self.shares
        cycles, packets = max(1, self.cycle - self.began), sums.delivered
        deadlocked = self.circle is not None
        _, width = self.latency() if len(self.numbers) else (0.0, math.inf)
        came = (simulator.reached() - self.reached)[shares > 0] / cycles
        taken = simulator.taken() / cycles
        return Point(
            offered=self.offered,
            accepted=self.accepted()[0],
            saturated=deadlocked or self.saturated(),
            converged=not deadlocked and not self.changed and self.known(),
            circle=self.circle,
            cycles=self.cycle,
            packets=packets,
            latency=sums.latency / packets if packets else None,
            half_width=width if math.isfinite(width) and not self.changed else None,
            percentiles=percentiles(simulator.histogram()),
            longest=sums.longest,
            network_latency=sums.network_latency / packets if packets else None,
            hops=sums.hops / packets - 1 if packets else None,
            least_accepted=float(taken[self.sending.receives].min()),
            fairness=float(came.sum() ** 2 / (len(came) * (came**2).sum())) if came.any() else 1.0,
            histogram=simulator.histogram(),
            sent=simulator.sent() / cycles,
            taken=taken,
            carried=simulator.carried() / cycles,
            windows=tuple(self.course.windows),
        )


class _Course:
    """The numbers of a run by time, in windows of so many cycles."""

    def __init__(self, simulator: Simulator, plan: Plan, sending: Sending, every: int | None) -> None:
        self.simulator, self.sending, self.every = simulator, sending, every
        self.links = plan.ends.ravel() >= 0
        self.begins, self.ends = 0, every or NO_END
        self.windows: list[Window] = []
        self.told, self.cleared = self._counts(), self._counts()

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it needs to go on; nothing where it has no windows."""
        if self.every is None:
            return {}
        found = {f"told.{place}": one for place, one in enumerate(self.told)}
        found |= {f"cleared.{place}": one for place, one in enumerate(self.cleared)}
        return found | {"windows": _numbers(self.windows), "begins": np.array([self.begins])}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where the arrays say."""
        if self.every is None:
            return
        self.told, self.cleared = (
            [arrays[f"{name}.{place}"] for place in range(len(self.told))] for name in ("told", "cleared")
        )
        rows: list[list[Any]] = [
            [None if math.isnan(one) else one for one in row] for row in arrays["windows"].tolist()
        ]
        self.windows = [Window(*row) for row in rows]
        self.begins = int(arrays["begins"][0])
        self.ends = self.begins + self.every

    def _counts(self) -> list[NDArray[np.int64]]:
        """Return all that has been counted since it was cleared."""
        simulator = self.simulator
        return [simulator.sums(), simulator.histogram(), simulator.carried()[self.links]]

    def clear(self) -> None:
        """Set all statistics of the simulation to zero, but not those of the window under way."""
        if self.every is not None:
            self.cleared = [one + now for one, now in zip(self.cleared, self._counts(), strict=True)]
        self.simulator.clear()

    def add(self, end: int) -> None:
        """Tell the window that ends; the last one may be shorter."""
        assert self.every is not None
        counts = [one + now for one, now in zip(self.cleared, self._counts(), strict=True)]
        numbers, histogram, carried = (one - told for one, told in zip(counts, self.told, strict=True))
        sums, self.told = Sums(*numbers.tolist()), counts
        packets, loads = sums.delivered, carried / (end - self.begins)
        _, _, p99, _ = percentiles(histogram) or [None] * len(SHARES)
        self.windows.append(
            Window(
                cycle=self.begins,
                packets=packets,
                latency=sums.latency / packets if packets else None,
                latency_p99=p99,
                network_latency=sums.network_latency / packets if packets else None,
                mean_hops=sums.hops / packets - 1 if packets else None,
                accepted_load=sums.taken / self.sending.flits(self.begins, end),
                largest_link_load=float(loads.max(initial=0)),
                mean_simulated_link_load=float(loads.mean()) if len(loads) else 0.0,
            )
        )
        self.begins, self.ends = end, end + self.every


def _numbers(windows: Sequence[Window]) -> NDArray[np.float64]:
    """Return windows as an array, float64, shape (windows, numbers); NaN for None."""
    rows = [[math.nan if one is None else one for one in astuple(window)] for window in windows]
    return np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))


def half_width(means: NDArray[np.float64]) -> float:
    """Return half of the 95% interval of the mean of several means, float64, by Student's t; inf of one."""
    count = len(means)
    return float(student(count - 1) * means.std(ddof=1) / math.sqrt(count)) if count > 1 else math.inf


@lru_cache(maxsize=2 * MOST_BATCHES)
def student(freedom: int) -> float:
    """Return what 95% of Student's t do not pass, either way, by degrees of freedom from 1 on.

    They are the finite sums of Abramowitz and Stegun, 26.7.3 and 4: scipy's would take 27 MiB for this alone.

    Example:
        >>> [round(student(freedom), 3) for freedom in (1, 2, 31)]
        [12.706, 4.303, 2.04]
    """
    angles = 0.0, math.pi / 2
    while (middle := sum(angles) / 2) not in angles:
        angles = (middle, angles[1]) if _within(middle, freedom) < 0.95 else (angles[0], middle)
    return math.sqrt(freedom) * math.tan(angles[1])


def _within(angle: float, freedom: int) -> float:
    """Return the chance that Student's t is within the root of the degrees of freedom times a tangent."""
    odd, cosine = freedom % 2, math.cos(angle)
    term = total = cosine if odd else 1.0
    for number in range(2 + odd, freedom, 2):
        term *= cosine * cosine * (number - 1) / number
        total += term
    if not odd:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + (math.sin(angle) * total if freedom > 1 else 0))


def percentiles(histogram: NDArray[np.int64]) -> tuple[float, ...]:
    """Return the latencies that shares of the packets do not pass; those of a bin are taken as its middle."""
    if not histogram.any():
        return ()
    bounds, passed = latency_of_bins(), np.cumsum(histogram)
    bins = np.searchsorted(passed, np.array(SHARES) * passed[-1])
    middles: list[float] = ((bounds[bins] + bounds[bins + 1] - 1) / 2).tolist()
    return tuple(middles)
