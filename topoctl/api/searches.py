"""Searches: the command line's, with its options as keyword arguments, and with its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Literal

import numpy as np

from topoctl.api.arguments import checked_arguments, plain
from topoctl.api.results import Results, results_of
from topoctl.errors import InvalidParameters, quoted
from topoctl.kernels.backend import thread_count
from topoctl.kernels.link_annealing import Method
from topoctl.layout import Kind
from topoctl.options import options_of
from topoctl.runs.requests import (
    CAYLEY,
    EQUALITY,
    GRAPH,
    GRID,
    HOSTS,
    cayley_request,
    equality_request,
    graph_request,
    grid_request,
    hosts_request,
)
from topoctl.runs.search import search
from topoctl.runs.session import Listener, Session
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.seeds import seed_list
from topoctl.study.runner import OnStatus


def search_equality(
    *,
    n: int | None = None,
    k: int | None = None,
    p: int | None = None,
    router_radix: int | None = None,
    preset: str | None = None,
    fixed_a: tuple[int, ...] | None = None,
    fixed_b: tuple[int, ...] | None = None,
    even_hops: int | None = None,
    objective: Literal["product", "lexicographic"] | None = None,
    population: int | None = None,
    generations: int | None = None,
    crossover: float | None = None,
    mutation: float | None = None,
    seconds: float | None = None,
    evaluations: int | None = None,
    stagnation: int | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    islands: int | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Search Equality networks with the least average distance and diameter: `topoctl search equality`.

    Args:
        n: routers N, even.
        k: links per router, k'.
        p: endpoints per router; balanced by default.
        router_radix: ports per router, with p, instead of k' = k - p.
        preset: name of a published network to search again.
        fixed_a: odd hops that are held fixed.
        fixed_b: even hops that are held fixed.
        even_hops: how many even hops there are.
        objective: ``product`` of diameter and average distance, or ``lexicographic``.
        population: individuals of an island.
        generations: run exactly this many epochs.
        crossover: probability that a child has two parents.
        mutation: probability that a child is mutated.
        seconds: planned time; 20 by default, where no other work is planned.
        evaluations: planned number of networks scored.
        stagnation: end after this many epochs without improvement.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking of what
            all of them found, as ``--seeds`` does; the document says how far they spread.
        islands: populations side by side.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no network has what was asked for.
        StudyError: the study cannot be used.

    Example:
        >>> found = search_equality(n=64, k=5, evaluations=2000, top=2)
        >>> [network.assessment.diameter for network in found]
        [4, 4]
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    given = given_options(search_equality, EqualityRequest, arguments)
    request, _ = equality_request(given)
    return searched(EQUALITY, request, chosen, workers, cluster, study, progress)


def search_cayley(
    *,
    n: int | None = None,
    k: int | None = None,
    p: int | None = None,
    router_radix: int | None = None,
    group: tuple[int, ...] | None = None,
    tolerance: int | str | None = None,
    resize: bool | None = None,
    objective: Literal["product", "lexicographic"] | None = None,
    population: int | None = None,
    seconds: float | None = None,
    evaluations: int | None = None,
    stagnation: int | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    islands: int | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Search Cayley networks with the least average distance and diameter: `topoctl search cayley`.

    Args:
        n: routers N.
        k: links per router, k'.
        p: endpoints per router; balanced by default.
        router_radix: ports per router, with p, instead of k' = k - p.
        group: s, t and r of the only group to try; all of the order by default.
        tolerance: orders around n that are tried too, in routers, ``12``, or percent, ``"2%"``.
        resize: bring networks of other orders to n routers.
        objective: ``product`` of diameter and average distance, or ``lexicographic``.
        population: individuals of an island.
        seconds: planned time; 20 by default, where no other work is planned.
        evaluations: planned number of networks scored.
        stagnation: end after this many epochs without improvement.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking of what
            all of them found, as ``--seeds`` does; the document says how far they spread.
        islands: groups that go on after the race.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no network has what was asked for.
        StudyError: the study cannot be used.

    Example:
        >>> found = search_cayley(n=21, k=4, evaluations=2000, top=1)
        >>> found[0].assessment.diameter, found[0].topology.graph.size
        (3, 42)
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    given = given_options(search_cayley, CayleyRequest, arguments)
    request, _ = cayley_request(given)
    return searched(CAYLEY, request, chosen, workers, cluster, study, progress)


def optimize_grid(
    *,
    width: int | None = None,
    height: int | None = None,
    k: int | None = None,
    l: int | str | None = None,  # noqa: E741 - the option's name, and the paper's
    layout: Kind | None = None,
    preset: str | None = None,
    symmetry: int | None = None,
    objective: Literal["aspl", "latency", "power"] | None = None,
    cabinet: tuple[float, float] | None = None,
    overhead: float | None = None,
    max_latency_ns: float | None = None,
    target_diameter: int | None = None,
    seconds: float | None = None,
    moves: int | None = None,
    replicas: int | None = None,
    evaluation: Method | None = None,
    start: str | Path | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Find networks of few, short links on a floor: `topoctl optimize grid`.

    Args:
        width: routers per row.
        height: rows.
        k: links per router, at most.
        l: the longest link, in steps of the layout, or in metres of cable between cabinets, ``"7.5m"``.
        layout: ``grid`` or ``diagrid``.
        preset: name of a published instance.
        symmetry: order of the rotation that networks are held to; 1 for none, chosen by default.
        objective: diameter and average distance, average latency, or the switches' power.
        cabinet: width and depth in metres; 0.6 and 2.1 for links in metres, where no objective says else.
        overhead: metres of cable at each of its two ends.
        max_latency_ns: with ``power``, the limit of all latencies.
        target_diameter: press on the diameter alone, and end when it is reached.
        seconds: planned time; 20 by default, where no moves are planned.
        moves: planned moves of a replica.
        replicas: networks annealed side by side.
        evaluation: how changed networks are measured; the result does not depend on it.
        start: file of a network to improve, near it unless a symmetry is asked for.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking of what
            all of them found, as ``--seeds`` does; the document says how far they spread.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no connected network has what was asked for, or none was found.
        FormatError: the start file cannot be used.
        StudyError: the study cannot be used.

    Example:
        >>> found = optimize_grid(width=6, height=6, k=4, l=3, moves=2000, top=1)
        >>> found[0].topology.layout, found[0].assessment.diameter
        (Layout(kind='grid', width=6, height=6), 4)
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    request, _ = grid_request(given_options(optimize_grid, AnnealingRequest, arguments))
    return searched(GRID, request, chosen, workers, cluster, study, progress)


def optimize_graph(
    *,
    n: int | None = None,
    k: int | None = None,
    preset: str | None = None,
    symmetry: int | tuple[int, int, int] | None = None,
    target_diameter: int | None = None,
    seconds: float | None = None,
    moves: int | None = None,
    replicas: int | None = None,
    evaluation: Method | None = None,
    start: str | Path | None = None,
    origin: str | Path | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Find networks of n routers with k links each, of the least diameter: `topoctl optimize graph`.

    Args:
        n: routers.
        k: links per router, at most.
        preset: name of an instance of the order/degree problem.
        symmetry: what networks are held to: the order of a rotation, 1 for none, or s, t and r of a
            semidirect product, as in `search_cayley`; chosen by default.
        target_diameter: press on the diameter alone, and end when it is reached.
        seconds: planned time; 20 by default, where no moves are planned.
        moves: planned moves of a replica.
        replicas: networks annealed side by side.
        evaluation: how changed networks are measured; the result does not depend on it.
        start: file of a network to improve, near it unless a symmetry is asked for.
        origin: spec or file of a network of about n routers, which is brought to n; ``2*`` before it for two
            copies side by side; ``none`` to begin from scratch, by default what is near races.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking of what
            all of them found, as ``--seeds`` does; the document says how far they spread.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no connected network has what was asked for, or none was found.
        FormatError: the start file cannot be used.
        StudyError: the study cannot be used.

    Example:
        >>> found = optimize_graph(n=20, k=3, moves=2000, top=1)
        >>> found[0].assessment.diameter, found[0].topology.edges.shape
        (3, (30, 2))
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    request, _ = graph_request(given_options(optimize_graph, AnnealingRequest, arguments))
    return searched(GRAPH, request, chosen, workers, cluster, study, progress)


def optimize_hosts(
    *,
    hosts: int | None = None,
    router_radix: int | None = None,
    n: int | None = None,
    symmetry: int | None = None,
    seconds: float | None = None,
    moves: int | None = None,
    replicas: int | None = None,
    start: str | Path | None = None,
    seed: int | None = None,
    seeds: int | Iterable[int] | None = None,
    top: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: OnStatus | None = None,
) -> Results:
    """Find networks of so many hosts on routers of so many ports, whatever routers: `topoctl optimize hosts`.

    Args:
        hosts: endpoints, each on one router.
        router_radix: ports of a router, for links and hosts.
        n: routers, at most; by default several numbers race.
        symmetry: order of the rotation that networks are held to, 1 for none; chosen by default.
        seconds: planned time; 20 by default, where no moves are planned.
        moves: planned moves of a replica.
        replicas: networks annealed side by side.
        start: file of a host-switch graph to improve, which tells hosts, ports and routers.
        seed: of all draws; the same seed gives the same result, as on the command line.
        seeds: several, as ``range(1, 33)``, or how many from 1 on: one search each, and one ranking.
        top: distinct networks to report.
        workers: threads; the result does not depend on it.
        cluster: whose workers run the search, such as ``local:4`` or ``tcp://host:8786``; nor on that.
        study: file to keep the run in, or None to keep none.
        progress: called with a status and the seconds so far, between epochs.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no connected network has what was asked for, or none was found.
        FormatError: the start file cannot be used.
        StudyError: the study cannot be used.

    Example:
        >>> found = optimize_hosts(hosts=128, router_radix=24, moves=20000, top=1)
        >>> row = found.document["results"][0]
        >>> row["order"], row["host_diameter"], round(row["host_aspl"], 6)
        (8, 3, 2.878445)
    """
    arguments, chosen = locals(), chosen_seeds(seed, seeds)
    request, _ = hosts_request(given_options(optimize_hosts, HostsRequest, arguments))
    return searched(HOSTS, request, chosen, workers, cluster, study, progress)


def given_options(function: Callable[..., Any], request: type, arguments: dict[str, Any]) -> dict[str, Any]:
    """The options of a request that a function was given, by the names of its fields.

    Args:
        function: whose arguments they are.
        request: that declares the options.
        arguments: by name, those of the run itself among them.
    """
    names = {option.keyword: name for name, option in options_of(request).items() if name != "seeds"}
    asked = {keyword: value for keyword, value in arguments.items() if keyword in names}
    return {names[keyword]: value for keyword, value in checked_arguments(function, **asked).items()}


def chosen_seeds(seed: int | None, seeds: int | Iterable[int] | None) -> tuple[int, ...] | None:
    """The seeds in place of a request's own, or None.

    Raises:
        InvalidParameters: there are none, or there is a single one too.
    """
    if seeds is None:
        return None
    if isinstance(seeds, bool | str):
        raise InvalidParameters(f"seeds is {seeds!r:.60}; expected whole numbers, such as range(1, 33)")
    if seed is not None:
        raise InvalidParameters("seed and seeds exclude each other; give one of them")
    try:
        return seed_list(plain(seeds) if isinstance(seeds, np.generic | np.ndarray) else seeds)
    except TypeError:
        raise InvalidParameters(f"seeds is {quoted(repr(seeds))}; expected whole numbers") from None


def searched(
    command: str,
    request: Any,
    seeds: Sequence[int] | None,
    workers: int | None,
    cluster: str | None,
    study: str | Path | None,
    progress: OnStatus | None,
) -> Results:
    """Plan a search, run it, measure again what it found, and keep it where a study is named."""
    checked_arguments(search_equality, workers=workers, cluster=cluster, study=study, progress=progress)
    threads, path = thread_count(workers), None if study is None else Path(study)
    with Session(threads, cluster, path, display=lambda: nullcontext(Listener(progress))) as session:
        found = search(command, request, seeds, session)
        return results_of(found, [found.evaluated(one, threads) for one in found.networks])
