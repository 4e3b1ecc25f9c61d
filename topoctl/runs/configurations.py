"""The experiment of a configuration file of BookSim, and its row."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from topoctl.kernels.simulation import Plan
from topoctl.runs.document import Document, Row, document
from topoctl.simulation.booksim.configuration import Configuration, read_configuration
from topoctl.simulation.booksim.experiment import Results, run_configuration
from topoctl.simulation.dependencies import MOST_STATES, circle_of


def configuration_document(
    path: Path,
    replay: Path | None,
    packets: Path | None,
    seed: int | None,
    say: Callable[[str], None],
    progress: Callable[[int], None] | None = None,
) -> tuple[Document, Results]:
    """Run what a configuration file asks for; what may deadlock runs with a warning.

    Args:
        path: of the file.
        replay: a file of packets to send, instead of those of a pattern.
        packets: a file to write, of what became of every packet.
        seed: instead of that of the file.
        say: told, in a line, where packets may wait for each other in a circle.
        progress: called with the cycles that are simulated.

    Raises:
        FormatError: a file is missing or wrong, or asks for what is not simulated.
    """
    began, proven = time.monotonic(), []

    def look(plan: Plan) -> None:
        line = _doubt(plan)
        proven.append(line is None)
        if line:
            say(line)

    results = run_configuration(
        path, replay=replay, packets=packets, seed=seed, on_plan=look, on_progress=progress
    )
    configuration = read_configuration(path)
    made = document(
        "simulate",
        {
            "networks": [str(path)],
            "replay": replay and str(replay),
            "packets": packets and str(packets),
        },
        [_row(configuration, results, proven=proven[0])],
        seed=configuration.whole("seed") if seed is None else seed,
        evaluations=1,
        seconds=time.monotonic() - began,
        status="finished",
        notes=[],
    )
    return made, results


def _doubt(plan: Plan) -> str | None:
    """Say where packets may deadlock, or that this is not known; None where they cannot."""
    if plan.escapes.size:
        return None
    if len(plan.choice) * len(plan.ends) ** 2 > MOST_STATES:
        return "the network is too large to look for deadlocks in its tables"
    circle = circle_of(plan)
    if circle is None:
        return None
    links = " -> ".join(f"{one}-{other}" for _, one, other in circle)
    return f"packets may deadlock: those of each of these links may wait for the next one's: {links}"


def _row(configuration: Configuration, results: Results, *, proven: bool) -> Row:
    """Return the row of an experiment."""
    values = configuration.values
    return {
        "file": str(configuration.path),
        "routing": values["routing_function"],
        "traffic": values["traffic"],
        "offered_load": results.injected_flits.average,
        "accepted_load": results.accepted_flits.average,
        "least_accepted": results.accepted_flits.minimum,
        "latency": results.packet_latency,
        "network_latency": results.network_latency,
        "flit_latency": results.flit_latency,
        "fragmentation": results.fragmentation,
        "mean_hops": None if results.hops is None else results.hops - 1,
        "hops": results.hops,
        "saturated": not results.converged,
        "converged": results.converged,
        "proven": proven,
        "cycles": results.cycles,
        "packets": results.packets,
        "virtual_channels": configuration.whole("num_vcs"),
    }
