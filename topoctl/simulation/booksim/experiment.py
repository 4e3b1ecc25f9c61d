"""BookSim's experiment: warm up, measure until the mean latency settles, and drain what was recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import FormatError, InvalidParameters
from topoctl.files import require_folder
from topoctl.kernels.simulation import (
    EXACT_BINS,
    MOST_CHANNELS,
    MOST_CYCLES,
    Plan,
    Simulator,
    Sums,
    simulator_of,
)
from topoctl.simulation.booksim.anynet import anynet
from topoctl.simulation.booksim.configuration import Configuration, called, read_configuration
from topoctl.simulation.booksim.dragonfly import dragonfly
from topoctl.simulation.booksim.fat_tree import fat_tree
from topoctl.simulation.booksim.flattened_butterfly import flattened_butterfly
from topoctl.simulation.booksim.mesh_and_torus import mesh, torus
from topoctl.simulation.booksim.traffic import packet_sizes, traffic_fields
from topoctl.simulation.packet_files import read_packets, write_packets

TOPOLOGIES = {
    **{"anynet": anynet, "mesh": mesh, "torus": torus, "flatfly": flattened_butterfly},
    **{"dragonflynew": dragonfly, "fattree": fat_tree},
}
ALLOCATORS = ("islip", "islip(1)", "separable_output_first", "separable_output_first(round_robin)")
"""All of one meaning, but that the separable one heeds the priorities that `min_adapt` gives."""
BY_PRIORITY = ("min_adapt",)

FOREVER = 2**62
MOST_PERIODS = 1000
"""Of as many cycles as a simulation may have; half of them are for draining."""
SETTLED = 3
"""Periods in turn that have to change little."""
DRAIN_PERIOD = 1000
"""Cycles after which BookSim looks at the latencies of what it drains."""
SILENCE = 2**17
"""Cycles without any movement after which a list of packets will not arrive any more."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The mean of something over endpoints, in flits per cycle, its least and its greatest."""

    average: float
    minimum: float
    maximum: float


@dataclass(frozen=True, kw_only=True)
class Results:
    """What BookSim prints at the end, by its names; latencies in cycles.

    Attributes:
        converged: whether BookSim would print a summary; if not, latencies were above `latency_thres`, and
            all numbers are those of the last period before it gave up.
        cycles: simulated until the recorded packets had arrived.
        packets: recorded that have arrived.
        packet_latency: from the draw of a packet to the arrival of its tail; None where no packet has
            arrived.
        packet_latency_minimum: None also where it is not known exactly, from 128 cycles on.
        packet_latency_maximum: the same, at most.
        network_latency: from the entry of the head to the arrival of the tail.
        flit_latency: from the entry of a flit to its arrival, of all flits since warming up.
        fragmentation: by how much longer a packet takes to arrive than its flits do.
        injected_packets: mean packets per cycle and endpoint while measuring; None where packets differ in
            size.
        accepted_packets: the same, arrived.
        injected_flits: per cycle, while measuring.
        accepted_flits: the same, arrived.
        hops: routers that a packet visits, so one more than the links it crosses.
    """

    converged: bool
    cycles: int
    packets: int
    packet_latency: float | None
    packet_latency_minimum: int | None
    packet_latency_maximum: int | None
    network_latency: float | None
    flit_latency: float | None
    fragmentation: float | None
    injected_packets: float | None
    accepted_packets: float | None
    injected_flits: Spread
    accepted_flits: Spread
    hops: float | None


def run_configuration(
    path: str | Path,
    *,
    replay: str | Path | None = None,
    packets: str | Path | None = None,
    seed: int | None = None,
    on_plan: Callable[[Plan], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Results:
    """Run the experiment that a configuration file of BookSim asks for.

    Args:
        path: of the file; the file of a network is looked for beside it, then in the working directory.
        replay: a file of the packets to send, instead of those of a traffic pattern; where it converges, the
            simulation goes on until all have arrived.
        packets: a file to write, of what became of every packet.
        seed: instead of that of the file.
        on_plan: called with what is simulated, before the first cycle.
        on_progress: called from time to time with the cycles that are simulated.

    Raises:
        FormatError: a file that is missing or wrong, or a configuration that is not simulated.
    """
    if packets is not None:
        require_folder(packets)
    configuration = read_configuration(path)
    plan = plan_of(configuration, replay=replay, logged=packets is not None, seed=seed)
    if on_plan:
        on_plan(plan)
    experiment = Experiment.of(configuration, plan, on_progress)
    results = experiment.run()
    if packets is not None:
        write_packets(packets, experiment.packets())
    return results


def plan_of(
    configuration: Configuration,
    *,
    replay: str | Path | None = None,
    logged: bool = False,
    seed: int | None = None,
) -> Plan:
    """Return what the kernel simulates.

    Raises:
        FormatError: what is not simulated, or files that are wrong.
    """
    channels = configuration.whole("num_vcs", 1, MOST_CHANNELS)
    wiring, routing = TOPOLOGIES[configuration.chosen("topology", [*TOPOLOGIES])](configuration)
    endpoints = len(wiring.entries)
    for key in ("vc_allocator", "sw_allocator"):
        chosen = configuration.chosen(key, ALLOCATORS)
        if configuration.values["routing_function"] in BY_PRIORITY and called(chosen)[0] != "islip":
            raise configuration.fault(key, "not simulated with this routing function; expected islip")
    speedup = configuration.decimal("internal_speedup") * 1000
    if speedup.denominator != 1 or not 1000 <= speedup <= 16_000:
        raise configuration.fault("internal_speedup", "expected 1..16, in thousandths")
    sizes, _ = packet_sizes(configuration)
    if replay is None:
        traffic = traffic_fields(configuration, endpoints)
    else:
        packets = read_packets(replay, endpoints, sizes[0] if len(sizes) == 1 else None)
        traffic = packets.fields(endpoints)
    buffer = configuration.whole("vc_buf_size", 1, 2**15 - 1)
    is_busy = configuration.whole("vc_busy_when_full") > 0
    return Plan(
        **wiring._asdict(),
        **routing,
        **traffic,
        seed=configuration.whole("seed") if seed is None else seed,
        channels=channels,
        buffer=buffer,
        head_room=buffer if configuration.whole("wait_for_tail_credit") else int(is_busy),
        output_room=_output_room(configuration),
        steps=int(speedup),
        lookahead=1 - configuration.whole("routing_delay", 0, 1),
        credit_delay=configuration.whole("credit_delay", 0, 2**16 - 1),
        queued=int(configuration.whole("include_queuing") == 1),
        logged=int(logged),
    )


def _output_room(configuration: Configuration) -> int:
    """Return the flits that an output holds before the switch waits for it; 0 for any number."""
    asked = configuration.whole("output_buffer_size", -1, 2**15 - 1)
    if not asked:
        raise configuration.fault("output_buffer_size", "no flit would pass; expected -1, or 1 or more")
    return max(0, asked)


@dataclass
class Experiment:
    """The course of an experiment; after a period of cycles BookSim looks at its statistics.

    Attributes:
        simulator: that goes on.
        endpoints: of the network.
        flits: of a packet; None where packets differ.
        listed: the cycle of the last packet of a list; None where packets are drawn.
        warm_latency: by how much the mean latency may change, relatively, at the end of warming up.
        warm_accepted: the same for accepted flits.
        latency_change: the same at the end of measuring.
        accepted_change: the same for accepted flits.
        on_progress: called with the cycles that are simulated.
    """

    simulator: Simulator
    endpoints: int
    flits: int | None
    listed: int | None
    has_latency: bool
    warmup_periods: int
    sample_period: int
    max_samples: int
    threshold: Fraction
    warm_latency: Fraction
    warm_accepted: Fraction
    latency_change: Fraction
    accepted_change: Fraction
    on_progress: Callable[[int], None] | None
    now: int = 0
    cleared: int = 0
    log: list[NDArray[np.int64]] = field(default_factory=list)

    @classmethod
    def of(
        cls, configuration: Configuration, plan: Plan, on_progress: Callable[[int], None] | None
    ) -> Experiment:
        """Begin the experiment of a configuration.

        Raises:
            FormatError: no number where there should be one, or a plan that no simulation can follow.
        """
        sizes, _ = packet_sizes(configuration)
        try:
            simulator = simulator_of(plan)
        except InvalidParameters as error:
            raise FormatError(configuration.path, str(error)) from None
        return cls(
            simulator=simulator,
            endpoints=len(plan.entries),
            flits=sizes[0] if len(sizes) == 1 else None,
            listed=int(plan.replay[:, 0].max(initial=0)) if plan.replay_rows.size else None,
            has_latency=configuration.chosen("sim_type", ["latency", "throughput"]) == "latency",
            warmup_periods=configuration.whole("warmup_periods"),
            sample_period=configuration.whole("sample_period", 1, MOST_CYCLES // MOST_PERIODS),
            max_samples=configuration.whole("max_samples", 1, MOST_PERIODS // 2),
            threshold=configuration.decimal("latency_thres"),
            warm_latency=configuration.decimal("warmup_thres"),
            warm_accepted=configuration.decimal("acc_warmup_thres"),
            latency_change=configuration.decimal("stopping_thres"),
            accepted_change=configuration.decimal("acc_stopping_thres"),
            on_progress=on_progress,
        )

    def run(self) -> Results:
        """Run to the end."""
        running, converged = False, 0
        latency, accepted = Fraction(0), Fraction(0)
        for period in range(self.max_samples):
            if not running and period % 2 == 0:
                self._clear()
            self._simulate(self.now + self.sample_period)
            last, last_accepted = latency, accepted
            sums = self._sums()
            latency = Fraction(sums.latency, max(1, sums.delivered))
            accepted = Fraction(sums.taken, (self.now - self.cleared) * self.endpoints)
            if self.has_latency and self._too_slow(sums):
                return self._results(False, self._rates())
            latency_limit = self.latency_change if running else self.warm_latency
            accepted_limit = self.accepted_change if running else self.warm_accepted
            steady = not self.has_latency or _is_steady(latency, last, latency_limit)
            steady = steady and _is_steady(accepted, last_accepted, accepted_limit)
            if running:
                converged = converged + 1 if steady else 0
                if converged == SETTLED:
                    break
            elif period + 1 >= self.warmup_periods if self.warmup_periods else steady:
                running = True
                if period + 1 < self.max_samples:
                    # What was under way before is not recorded.
                    self._clear()
                    self.simulator.forget()
        rates = self._rates()
        if not running:
            return self._results(False, rates)
        if self.has_latency and not self._drain():
            return self._results(False, rates)
        results = self._results(True, rates)
        if self.listed is not None:
            self._finish_list(self.listed)
        return results

    def packets(self) -> NDArray[np.int64]:
        """Return what became of the packets that were sent so far, with the columns of files of packets."""
        unfinished = self.simulator.unfinished()
        unfinished[:, 3:] = -1  # BookSim knows nothing of them either
        return np.concatenate([*self.log, unfinished])

    def _simulate(self, until: int, *, last: int = FOREVER, drain: bool = False) -> None:
        self.now = self.simulator.run(until, True, last, drain)
        self._collect()
        if self.on_progress:
            self.on_progress(self.now)

    def _collect(self) -> None:
        arrived = self.simulator.packets()
        if len(arrived) or not self.log:
            self.log.append(arrived)

    def _clear(self) -> None:
        self.simulator.clear()
        self.cleared = self.now

    def _sums(self) -> Sums:
        return Sums(*self.simulator.sums().tolist())

    def _too_slow(self, sums: Sums) -> bool:
        """Whether recorded packets and all flits under way are older than they may be, in the mean."""
        if self.threshold < 0:
            return False
        flits, made = self.simulator.live()
        ages = sums.latency + flits * self.now - made
        return ages > self.threshold * (sums.delivered + flits)

    def _drain(self) -> bool:
        """Go on until what was recorded has arrived; whether it did before packets were too slow."""
        last = self.now
        while True:
            until = self.now + DRAIN_PERIOD
            self._simulate(until, last=last, drain=True)
            if self.now < until:
                return True
            if self._too_slow(self._sums()):
                return False

    def _finish_list(self, listed: int) -> None:
        """Go on until all packets of a list have arrived, or can no more."""
        while self.simulator.live()[0] or self.now <= listed:
            self._simulate(self.now + DRAIN_PERIOD)
            if self.now > max(listed, self.simulator.moved()) + SILENCE:
                return

    def _rates(self) -> tuple[Spread, Spread]:
        """Flits sent and taken since statistics were cleared, by endpoint."""
        cycles = self.now - self.cleared
        sent, taken = (
            Spread(
                average=int(flits.sum()) / (cycles * self.endpoints),
                minimum=int(flits.min()) / cycles,
                maximum=int(flits.max()) / cycles,
            )
            for flits in (self.simulator.sent(), self.simulator.taken())
        )
        return sent, taken

    def _results(self, converged: bool, rates: tuple[Spread, Spread]) -> Results:
        sums = self._sums()
        sent, taken = rates
        bins = np.flatnonzero(self.simulator.histogram())

        def mean(total: int, count: int = sums.delivered) -> float | None:
            return total / count if count else None

        return Results(
            converged=converged,
            cycles=self.now,
            packets=sums.delivered,
            packet_latency=mean(sums.latency),
            packet_latency_minimum=int(bins[0]) if len(bins) and bins[0] < EXACT_BINS else None,
            packet_latency_maximum=sums.longest if sums.delivered else None,
            network_latency=mean(sums.network_latency),
            flit_latency=mean(sums.flit_latency, sums.taken),
            fragmentation=mean(sums.fragmentation),
            injected_packets=sent.average / self.flits if self.flits else None,
            accepted_packets=taken.average / self.flits if self.flits else None,
            injected_flits=sent,
            accepted_flits=taken,
            hops=mean(sums.hops),
        )


def _is_steady(value: Fraction, before: Fraction, limit: Fraction) -> bool:
    """Whether a value has changed little since the period before; always, if the limit is below 0."""
    return limit < 0 or abs(value - before) <= limit * value


def text_of(results: Results) -> str:
    """Return the summary in BookSim's own words, so that what reads BookSim reads this too.

    Lines whose numbers are not known are left out.
    """
    lines = []
    if not results.converged:
        lines.append("Simulation unstable, ending ...")
    lines += [
        f"Time taken is {results.cycles} cycles",
        "====== Overall Traffic Statistics ======",
        "====== Traffic class 0 ======",
        *_lines("Packet latency", results.packet_latency),
    ]
    for name, value in (
        ("minimum", results.packet_latency_minimum),
        ("maximum", results.packet_latency_maximum),
    ):
        lines += [f"\t{name} = {value} (1 samples)"] if value is not None else []
    lines += _lines("Network latency", results.network_latency)
    lines += _lines("Flit latency", results.flit_latency)
    lines += _lines("Fragmentation", results.fragmentation)
    lines += _lines("Injected packet rate", results.injected_packets)
    lines += _lines("Accepted packet rate", results.accepted_packets)
    for name, rate in (
        ("Injected flit rate", results.injected_flits),
        ("Accepted flit rate", results.accepted_flits),
    ):
        lines += _lines(name, rate.average)
        lines += [f"\tminimum = {rate.minimum:g} (1 samples)", f"\tmaximum = {rate.maximum:g} (1 samples)"]
    lines += _lines("Hops", results.hops)
    return "".join(f"{line}\n" for line in lines)


def _lines(name: str, average: float | None) -> list[str]:
    return [] if average is None else [f"{name} average = {average:g} (1 samples)"]
