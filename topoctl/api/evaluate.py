"""Evaluation, with the command line's options as keyword arguments."""

from __future__ import annotations

from pathlib import Path

from topoctl.api.arguments import checked_arguments
from topoctl.api.results import Results
from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import thread_count
from topoctl.options.evaluate import EvaluationRequest
from topoctl.runs.evaluations import OnCount, evaluation_document
from topoctl.runs.session import Listener, Session
from topoctl.topology import Topology


def evaluate(
    *networks: Topology | str | Path,
    measures: str | None = None,
    cabinet: tuple[float, float] | None = None,
    overhead: float | None = None,
    floor: str | None = None,
    prices: str | None = None,
    electrical: float | None = None,
    sold: tuple[int, ...] | None = None,
    convention: str | None = None,
    sources: int | None = None,
    exact: bool = False,
    seed: int = 1,
    sort: str | None = None,
    each: int | None = None,
    planes: tuple[int, ...] | None = None,
    partitions: int | None = None,
    partitioner: str | None = None,
    partition_seconds: float | None = None,
    trials: int | None = None,
    failed: str | Path | None = None,
    fail: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: OnCount | None = None,
) -> Results:
    """Measure networks as far as is asked for, and rank them: `topoctl evaluate`.

    Args:
        networks: any number of specs, files, and networks as of build or read.
        measures: names separated by commas, such as ``"loads"``, or ``"all"`` that a network has.
        cabinet: width and depth in metres, to measure latency and power too.
        overhead: metres of cable at each of its two ends.
        floor: of cost, power and latency: a preset, or a file of your own.
        prices: likewise, of cost and power.
        electrical: metres up to which cables are electrical, in place of what the prices say.
        sold: ports of the routers that are sold, such as ``(24, 36, 48)``; each is the smallest with enough.
        convention: of a paper, such as ``"slimfly2014"``, in place of these four.
        sources: distances from this many random routers only; the ASPL then has a 95% interval.
        exact: measure from all routers, however long it takes.
        seed: of all draws.
        sort: quantities separated by commas, ``-`` before one for largest first.
        each: networks of a family, at most.
        planes: equal copies of every network, with a port in each at every endpoint; a row for each number.
        partitions: halvings to refine for the bisection, 24 unless told.
        partitioner: what draws them, ``topoctl`` or ``kahip``.
        partition_seconds: begin no further one after so long.
        trials: random orders of failures for the resilience, 100 unless told.
        failed: a file of links and routers that have failed; what is left of every network is measured.
        fail: draw them, ``"links=3,routers=1"``.
        workers: threads; by default every core.
        cluster: whose workers share the trials of the resilience, such as ``local:4``.
        progress: called with the name of what is measured, what is done, its total, and what that counts.

    Returns:
        From best to worst; ``to_records()`` has all numbers by the names of ``--json``.

    Raises:
        InvalidParameters: an argument is wrong, a network lacks what a measure that was named needs, or a
            measurement would take long and `exact` is not set.

    Example:
        >>> found = evaluate("slimfly(q=5,p=4)", "torus(dims=7x7)", measures="loads")
        >>> [(row["spec"], round(row["uniform_throughput"], 3)) for row in found.to_records()]
        [('slimfly(q=5,p=4)', 0.957), ('torus(dims=7x7)', 1.143)]
    """
    arguments = dict(locals())
    if not all(isinstance(network, Topology | str | Path) for network in arguments.pop("networks")):
        raise InvalidParameters("networks: expected specs, files, or topologies as of build or read")
    asked = checked_arguments(evaluate, **arguments)
    for name in ("sort", "workers", "cluster", "progress"):
        asked.pop(name, None)
    given = [one if isinstance(one, Topology) else str(one) for one in networks]
    with Session(thread_count(workers), cluster) as session:
        request, listener = EvaluationRequest(**asked), Listener(on_counted=progress)
        found, best_first = evaluation_document(request, given, session, listener, sort=sort)
    return Results(tuple(best_first), found)
