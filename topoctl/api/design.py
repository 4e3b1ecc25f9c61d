"""Design, with the command line's options as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from topoctl.api.arguments import checked_arguments
from topoctl.api.enumerate import Range, range_text
from topoctl.api.results import Results, results_of
from topoctl.errors import InvalidParameters, quoted
from topoctl.kernels.backend import thread_count
from topoctl.runs.design import design as run_new
from topoctl.runs.requests import design_request
from topoctl.runs.session import Listener, Session
from topoctl.search.design.objectives import parse_front


def design(
    *families: str,
    endpoints: Range | None = None,
    router_radix: Range | None = None,
    diameter: Range | None = None,
    throughput: float | str | None = None,
    cost: float | None = None,
    power: float | None = None,
    latency: float | None = None,
    bisection: float | None = None,
    planes: tuple[int, ...] | None = None,
    floor: str | None = None,
    room: tuple[float, float] | None = None,
    prices: str | None = None,
    electrical: float | None = None,
    sold: tuple[int, ...] | None = None,
    front: str | None = None,
    tolerance: float | None = None,
    simulate: bool | None = None,
    seconds: float | None = None,
    evaluations: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> Results:
    """Find which network to build: `topoctl design`.

    Args:
        families: names, ``graph`` for networks of no family, ``grid`` for those on the grid of a floor; none
            for all; grids only where a floor or a room is given.
        endpoints: range of endpoints; a number is the least.
        router_radix: range of ports per router; a number is the most.
        diameter: range of hops; a number is the most.
        throughput: uniform throughput by a network's own routings, at least, 0.8 by default; or text such as
            ``"0.8,worst-case:0.4"``.
        cost: dollars per endpoint, at most.
        power: watts per endpoint, at most.
        latency: average zero-load latency in nanoseconds, at most.
        bisection: proven bisection over half of the endpoints, at least.
        planes: compare networks in so many planes, equal copies that hold all endpoints, with a port of full
            speed in each; throughputs and bisections asked for are then of all, in ports.
        floor: the racks that networks stand in: a preset or a file.
        room: width and depth in metres that they may take.
        prices: of routers and cables: a preset or a file.
        electrical: cables up to this length in metres are electrical, in place of what the prices say.
        sold: ports of the routers that are sold, such as ``(24, 36, 48)``; each is the smallest with enough.
        front: what networks are compared by, separated by commas.
        tolerance: percent by which networks of the front may differ and be shown as one; 1 by default.
        simulate: the networks of the front too, under uniform traffic: ``saturation_load`` and
            ``half_load_latency`` in their rows.
        seconds: planned time of all of it; 20 by default, where no other work is planned.
        evaluations: networks that each search scores in the first round.
        seed: of all draws.
        workers: threads; the result does not depend on it.
        cluster: whose workers measure and search, such as ``local:4``.
        study: file to keep the searches in, or None to keep none.
        progress: called with a line about what is under way.

    Returns:
        The networks that no other is better than (``pareto`` in the rows of the document), then of each
        other family the one nearest to what is asked.

    Raises:
        InvalidParameters: an argument is missing, wrong, or contradicts another.
        Infeasible: no network is what is asked.
        StudyError: the study cannot be used.

    Example:
        >>> found = design("slimfly", endpoints=200, router_radix=12, throughput=0.5, evaluations=100)
        >>> [row["spec"] for row in found.to_records() if row["pareto"]]
        ['slimfly(q=5,p=4)']
    """
    arguments = dict(locals())
    names = arguments.pop("families")
    if not all(isinstance(name, str) for name in names):
        raise InvalidParameters(
            f"families {quoted(repr(names))[1:-1]}: expected names, one by one, as in 'slimfly', 'torus'"
        )
    ranges = {name: arguments.pop(name) for name in ("endpoints", "router_radix", "diameter")}
    given = checked_arguments(design, **arguments)
    of_run = {name: given.pop(name, None) for name in ("workers", "cluster", "study", "progress")}
    asked: dict[str, Any] = {
        **{name: range_text(name, value) for name, value in ranges.items() if value is not None},
        **given,
        "families": names,
    }
    if tolerance is not None:
        asked["front_tolerance"] = asked.pop("tolerance")
    if front is not None:
        asked["front"] = parse_front(front)
    request, _ = design_request(asked)
    path = None if study is None else Path(study)
    listener = Listener(on_line=of_run["progress"])
    with Session(
        thread_count(of_run["workers"]), of_run["cluster"], path, display=lambda: nullcontext(listener)
    ) as session:
        found = run_new(request, session)
        return results_of(found, found.networks)
