"""Networks that grow, with the command line's options as keyword arguments; and the work that leads there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from topoctl.api.arguments import checked_arguments, network_of
from topoctl.api.results import Results
from topoctl.api.searches import chosen_seeds, given_options, searched
from topoctl.floor.floor import DEFAULT_FLOOR, floor_named
from topoctl.kernels.backend import thread_count
from topoctl.runs.growth import plan_of_work
from topoctl.runs.requests import GROW, grow_request
from topoctl.search.growth.request import GrowRequest
from topoctl.study.runner import OnStatus
from topoctl.topology import Topology
from topoctl.wiring.growing import WorkPlan, require_growth


def grow(
    network: Topology | str | Path,
    *,
    routers: int | None = None,
    n: int | None = None,
    steps: tuple[int, ...] | None = None,
    k: int | None = None,
    l: int | None = None,  # noqa: E741 - the option's name
    recable: tuple[int, ...] | None = None,
    afresh: bool | None = None,
    seconds: float | None = None,
    moves: int | None = None,
    replicas: int | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Add routers to a network that stands, and move few of its cables: `topoctl grow`.

    Args:
        network: a spec, a file, or a network as of build or read.
        routers: to add; or `n` in the end, or `steps`.
        n: routers in the end.
        steps: routers to add one time after another.
        k: links per router, at most; by default as many as a router of the network has.
        l: the longest link in steps of the layout; that of the network by default.
        recable: standing cables that may be moved in all; several limits make a front, by default around k'/2
            cables a router.
        afresh: whether the same size is searched afresh too, in half of the time.
        seconds: planned time; 20 by default, where no moves are planned.
        moves: planned moves of a replica in each step, and afresh.
        replicas: networks annealed side by side for every limit.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Returns:
        The networks, best first, the last one afresh. Their first routers are those that stand;
        :func:`topoctl.work_plan` says how a network becomes one of them.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no connected network has what was asked for, or none was found.
        FormatError: the file cannot be used.
        StudyError: the study cannot be used.

    Example:
        >>> found = grow("polarfly(q=3)", routers=4, k=6, recable=(0,), moves=100, afresh=False)
        >>> found[0].topology.graph.order, found.document["results"][0]["moved_cables"]
        (17, 0)
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    given = given_options(grow, GrowRequest, arguments)
    topology = network_of(network)
    named = topology.spec is None and isinstance(network, str | Path)
    stands = {"spec": topology.spec, "file": str(network) if named else None, "run": None}
    request, _ = grow_request({**given, "topology": topology, "network": stands})
    return searched(GROW, request, chosen, workers, cluster, study, progress)


def work_plan(
    standing: Topology | str | Path,
    grown: Topology | str | Path,
    batch: int = 16,
    floor: str | None = None,
) -> WorkPlan:
    """Plan the work by which a network becomes a larger one, whose first routers it has: `topoctl grow -o`.

    Args:
        standing: a spec, a file, or a network as of build or read, connected.
        grown: the larger one, connected; its endpoints are those that it has.
        batch: cables that are unplugged or plugged at a time; after each batch all routers in service, those
            with a cable, are connected.
        floor: of the racks: a preset, or a file of your own; by default racks42. Routers that stand keep the
            places that they have in `topoctl cable` before the growth.

    Returns:
        The plan: ``rows()`` are its lines, ``write(path)`` makes the CSV of the command, ``networks()`` the
        networks after each batch, ``wiring`` all systems and cables with their ports in the end.

    Raises:
        InvalidParameters: the larger network has fewer routers, one of both is not connected, or the batch is
            of one cable.
        FormatError: a file cannot be read.
        Infeasible: the floor has no room, or a cable is longer than any that is sold.

    Example:
        >>> plan = work_plan("torus(dims=4x4,p=1)", "torus(dims=5x4,p=1)")
        >>> plan.batches, plan.rows()[0][:8]
        (1, (1, 20, 'unplug', 4, 'router 0', 'R1C1', 1, 4))
    """
    before, after = network_of(standing), network_of(grown)
    require_growth(before.graph, [after.graph], after.endpoints_per_router)
    ground = floor_named(checked_arguments(work_plan, floor=floor).get("floor", DEFAULT_FLOOR))
    best = replace(after, grown_from=(*before.grown_from, before))
    return plan_of_work(best, {"floor": ground.as_json()}, before.graph.order, thread_count(None), batch)
