"""Routes, with the command line's options as keyword arguments."""

from __future__ import annotations

from pathlib import Path

from topoctl.analysis.failures import Failures
from topoctl.api.arguments import checked_arguments, network_of
from topoctl.options import options_of
from topoctl.options.route import RouteRequest
from topoctl.runs.repairs import Survived
from topoctl.runs.routes import OnCount, Routed
from topoctl.runs.routing import found_by
from topoctl.topology import Topology


def route(
    network: Topology | str | Path,
    *,
    routing: str = "ecmp",
    traffic: str = "uniform",
    virtual_channels: str | int = "auto",
    failed: str | Path | Failures | None = None,
    fail: str | None = None,
    repair: str | None = None,
    worst_case: bool = False,
    best: bool = False,
    seed: int = 1,
    exact: bool = False,
    workers: int | None = None,
    progress: OnCount | None = None,
) -> tuple[Routed | Survived, ...]:
    """Route a network, and see what its links carry: `topoctl route`.

    Args:
        network: a spec, a file, or a network as of build or read; connected, with two endpoints or more.
        routing: names separated by commas, or files of tables, or ``"all"`` that route it.
        traffic: patterns separated by commas, or ``"all"`` that it has endpoints for, or files of matrices.
        virtual_channels: a scheme, ``"auto"`` for the one that needs fewest, how many there may be, or
            ``"none"`` to leave them out.
        failed: links and routers that have failed: a file, or ``Failures(links=((0, 1),), routers=(7,))``.
        fail: draw them, ``"links=3,routers=1"``, or let every single one fail: ``"each-link"``,
            ``"each-router"``.
        repair: ``"least"`` for the fewest changed entries, ``"anew"``, or both, compared.
        worst_case: find the worst permutation of endpoints too.
        best: find what no routing passes too, by linear programs.
        seed: of patterns and failures that are drawn.
        exact: go through with it, however long it takes.
        workers: threads; by default every core.
        progress: called with the name of a routing, what is done, its total, and what that counts.

    Returns:
        One for every routing and pattern, in the order in which they were named, and where something has
        failed, of the whole network and of every repair; ``numbers()`` of each has all of them by the names
        of ``--json``.

    Raises:
        InvalidParameters: an unknown name, a network that a routing or a pattern is not for, or it would take
            long.
        FormatError: a file that holds no matrix, or no failures, for this network.

    Example:
        >>> from topoctl import build
        >>> for found in route(build("slimfly(q=5,p=4)"), routing="ecmp,valiant", worst_case=True):
        ...     numbers = found.numbers()
        ...     print(numbers["routing"], round(numbers["throughput"], 3), numbers["virtual_channels"])
        ...     print("in the worst case", round(numbers["worst_case_throughput"], 3))
        ecmp 0.957 2
        in the worst case 0.125
        valiant 0.478 3
        in the worst case 0.462

        >>> for found in route("slimfly(q=5,p=4)", failed=Failures(links=((0, 1),))):
        ...     numbers = found.numbers()
        ...     print(numbers["repair"], numbers["changed_entries"], round(numbers["throughput"], 3))
        none None 0.957
        least 16 0.617
        anew 26 0.931
    """
    arguments = dict(locals())
    told = arguments.pop("failed") if isinstance(failed, Failures) else None
    del arguments["network"]
    arguments = checked_arguments(route, **arguments)
    given = {name: value for name, value in arguments.items() if name in options_of(RouteRequest)}
    request = RouteRequest(**given)
    return tuple(found_by(request, network_of(network), told, workers, progress))
