"""Simulation, with the command line's options as keyword arguments."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from topoctl.api.arguments import checked_arguments, network_of
from topoctl.api.searches import chosen_seeds
from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import thread_count
from topoctl.options import options_of
from topoctl.runs.document import Row
from topoctl.runs.networks import network_row
from topoctl.runs.session import Listener, Session
from topoctl.runs.simulations import OnCount
from topoctl.runs.simulations import simulate as run_new
from topoctl.simulation.request import LOADS, SimulationRequest
from topoctl.topology import Topology


def simulate(
    *networks: Topology | str | Path,
    routing: str = "ecmp",
    traffic: str = "uniform",
    load: float | tuple[float, ...] = LOADS,
    saturation: bool = False,
    work: str | None = None,
    message_bytes: int = 4096,
    ranks: int | None = None,
    placement: str = "contiguous",
    flit_bytes: int = 64,
    replay: str | None = None,
    virtual_channels: str | int = "auto",
    unproven: bool = False,
    class_width: int = 2,
    buffer: int = 64,
    speedup: int = 2,
    routing_delay: int = 0,
    credit_delay: int = 2,
    packet_size: int | str = 1,
    bursts: float | None = None,
    then: str | None = None,
    every: int | None = None,
    histogram: bool = False,
    clock: float | None = None,
    floor: str | None = None,
    cabinet: tuple[float, float] | None = None,
    overhead: float | None = None,
    precision: float = 0.01,
    cycles: int | None = None,
    seed: int = 1,
    seeds: int | Iterable[int] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnCount | None = None,
) -> list[Row]:
    """Simulate networks cycle by cycle: `topoctl simulate`.

    Args:
        networks: any number of specs, files, and networks as of build or read; each with endpoints.
        routing: names separated by commas, or files of tables, or ``"all"`` that route a network.
        traffic: patterns separated by commas, or ``"all"`` that it has endpoints for, or files of matrices.
        load: what endpoints send, as a share of their links, or several.
        saturation: find the largest load that is accepted, by bisection, instead.
        work: to be completed in place of loads: names separated by commas, or files ``.goal`` and ``.cm``;
            ``"A+B"`` are two jobs at once.
        message_bytes: of a message of work, or of a vector that is reduced.
        ranks: of a job; by default all endpoints.
        placement: ``"contiguous"``, or in random order: ``"random"`` endpoints, ``"routers"`` whole, or the
            family's ``"groups"``.
        flit_bytes: that a flit of work carries.
        replay: a file of packets that are sent in place of loads, each once: columns source, ctime,
            destination and perhaps flits, separated by tabs.
        virtual_channels: a scheme, ``"auto"`` for the one that needs fewest, how many there may be, or
            ``"none"``, with `unproven`.
        unproven: simulate even what may deadlock.
        class_width: virtual channels side by side in place of each that is needed against deadlock.
        buffer: flits that a virtual channel holds.
        speedup: steps that a router makes inside in a cycle.
        routing_delay: steps that a router takes to route a packet; 0 where the router before does it.
        credit_delay: cycles until a router uses a credit that came back.
        packet_size: flits of a packet, or a mix such as ``"1:0.7,5:0.3"``, with shares of the packets.
        bursts: mean cycles for which endpoints send as at load 1, before they are silent.
        then: other traffic from a cycle on, such as ``"adversarial@10000"``.
        every: tell numbers by time too, in ``by_time``, for intervals of this many cycles.
        histogram: tell how many packets had which latency, in ``latency_histogram``.
        clock: cycles of a nanosecond; rows have times in nanoseconds too, and of work the bandwidth of a
            rank; 1 for times in files of work.
        floor: with `clock`, where the network stands, so that cables take 5 ns a metre.
        cabinet: the same by the width and depth of cabinets in metres.
        overhead: extra cable at each of its two ends, in metres, with `cabinet`.
        precision: half of the 95% interval of the mean latency, as a share of it, at which a point ends.
        cycles: after which a point ends in any case; by default 100,000, and 10^9 for work.
        seed: of all draws.
        seeds: several, as ``range(1, 9)``, or how many from 1 on, in place of `seed`; rows are means of them.
        workers: points, loads or works, that are simulated side by side; by default every core. No result
            depends on it.
        cluster: whose workers simulate, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the points in, or None to keep none.
        progress: called with what is simulated, the cycles done, how many there may be, and what that counts.

    Returns:
        A row for every network, routing, traffic and load, by the names of ``--json``; or for every network,
        routing and work, and, where jobs are done at once, for every job.

    Raises:
        InvalidParameters: an argument is wrong, a routing, a pattern or work is not for a network, or its
            packets may deadlock.
        FormatError: a file is no network, no matrix of traffic, or no work.
        StudyError: the study cannot be used.

    Example:
        >>> for row in simulate("slimfly(q=5,p=4)", load=(0.1, 0.5), cycles=5000):
        ...     print(row["offered_load"], round(row["accepted_load"], 2), round(row["latency"], 1))
        0.1 0.1 10.6
        0.5 0.5 11.9
        >>> (row,) = simulate("hyperx(dims=8,p=1)", work="all-reduce-ring", message_bytes=1024)
        >>> row["completion_cycles"], row["ideal_cycles"]
        (126, 28)
    """
    arguments: dict[str, Any] = dict(locals())
    if not networks:
        raise InvalidParameters("no network: expected one or more: specs, files, or topologies")
    given = [network_of(network) for network in arguments.pop("networks")]
    arguments = checked_arguments(
        simulate, **{name: value for name, value in arguments.items() if name != "seeds"}
    )
    if not isinstance(arguments["load"], tuple):
        arguments["load"] = (float(arguments["load"]),)
    request = SimulationRequest(
        **{name: value for name, value in arguments.items() if name in options_of(SimulationRequest)}
    )
    files = [str(network) for network in networks]
    rows = [(topology, network_row(topology, file)) for topology, file in zip(given, files, strict=True)]
    path, several = None if study is None else Path(study), chosen_seeds(None, seeds)
    listener = Listener(on_counted=progress)
    with Session(thread_count(workers), cluster, path, display=lambda: nullcontext(listener)) as session:
        found = run_new(request, rows, session, several)
        found.keep()
    return [] if found.document is None else found.document["results"]
