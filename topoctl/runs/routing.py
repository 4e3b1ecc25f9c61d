"""Routing: from what is asked for to the rows, the files and the document of `topoctl route`."""

from __future__ import annotations

import time
from collections.abc import Callable

from topoctl.analysis.failures import Failures
from topoctl.options.route import RouteRequest
from topoctl.routing.record import Routing
from topoctl.routing.selection import LeftOut, ignore
from topoctl.routing.traffic import Traffic
from topoctl.runs.document import Document, Row, document
from topoctl.runs.failures_asked import failures_asked
from topoctl.runs.repairs import ANEW, EACH, LEAST, Survived, repaired, survived
from topoctl.runs.route_files import RouteFiles
from topoctl.runs.routes import OnCount, Routed, routed, routings_and_traffic, together
from topoctl.topology import Topology


def found_by(
    request: RouteRequest,
    topology: Topology,
    told: Failures | None = None,
    threads: int | None = None,
    progress: OnCount | None = None,
) -> list[Routed] | list[Survived]:
    """Return what a request finds of a network.

    Args:
        request: what is asked for.
        topology: that is routed.
        told: what has failed, where no file of the request tells it.
        threads: how many to use; by default every core. No number depends on it.
        progress: called with the name of a routing, what is done, its total, and what that counts.

    Raises:
        InvalidParameters: an unknown name, a network that a routing or a pattern is not for, or it would take
            long.
        FormatError: a file that holds no matrix, or no failures, for this network.
    """
    routings, patterns = routings_and_traffic(request, topology)
    failures = told or _failures(request, topology)
    return _rows(request, topology, routings, patterns, failures, threads, progress)


def _failures(request: RouteRequest, topology: Topology) -> Failures | None:
    """Return what has failed; None where nothing has, or one after the other does."""
    drawn = None if request.fail in EACH else request.fail
    return failures_asked(request.failed, drawn, topology, request.seed)


def _rows(
    request: RouteRequest,
    topology: Topology,
    routings: tuple[Routing, ...],
    patterns: tuple[Traffic, ...],
    failures: Failures | None,
    threads: int | None,
    progress: OnCount | None,
    leave_out: LeftOut = ignore,
) -> list[Routed] | list[Survived]:
    """Return the rows: of the whole network, round what has failed, or of every single failure."""
    how = (threads, progress, leave_out)
    if request.fail in EACH:
        return survived(request, topology, routings, patterns, *how)
    if failures is not None:
        return repaired(request, topology, routings, patterns, failures, *how)
    return routed(request, topology, routings, patterns, *how)


def route_document(
    request: RouteRequest,
    topology: Topology,
    files: RouteFiles,
    threads: int | None,
    progress: OnCount,
    say: Callable[[str], None],
    known: Row,
) -> Document:
    """Route a network, write the files that are asked for, and make the document.

    Args:
        request: what is asked for.
        topology: that is routed.
        files: to be written.
        threads: how many to use; by default every core.
        progress: called with the name of a routing, what is done, its total, and what that counts.
        say: takes a line on what is left out or written.
        known: what every row says of the network itself.
    """
    began = time.monotonic()
    routings, patterns = routings_and_traffic(request, topology, say)
    files.check(routings)
    failures = _failures(request, topology)
    addresses = files.addresses(topology, failures)
    found = _rows(request, topology, routings, patterns, failures, threads, progress, say)
    notes = [*(record.note for record in routings), *(pattern.note for pattern in patterns)]
    rows: list[Row] = [one.numbers() for one in found]
    held = [one for one in found if isinstance(one, Routed)]
    if held:
        # Of failures, files hold the one repair that was asked for, or the one of fewest changes.
        way = ANEW if request.repair == ANEW else LEAST
        chosen = [one for one in held if one.mended is None or one.mended.way == way]
        written = files.as_written(chosen)
        files.write(chosen, written, addresses, say)
        others = [one for one in held if one not in chosen]
        notes.append(files.note(request.virtual_channels, chosen, written, others))
        changed = dict(zip(map(id, chosen), written, strict=True))
        rows = [changed.get(id(one), one).numbers() for one in held]
    if failures is not None:
        cut = max((row["cut_off_routers"] or 0) for row in rows)
        lost = [f"cut off, but working: {cut:,} router{'' if cut == 1 else 's'}"] if cut else []
        notes = [f"failed: {failures.listed(topology)}; repair none: the whole network", *lost, *notes]
    parameters = {
        **files.parameters(),
        "routing": [record.name for record in routings],
        "traffic": [pattern.name for pattern in patterns],
        "virtual_channels": request.virtual_channels,
        "failed": request.failed,
        "fail": request.fail,
        "repair": request.repair,
        "worst_case": request.worst_case,
        "best": request.best,
        "exact": request.exact,
    }
    made = document(
        "route",
        parameters,
        [known | row for row in rows],
        seed=request.seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        notes=together(notes),
    )
    if failures is not None:
        made["failures"] = {"links": [*map(list, failures.links)], "routers": [*failures.routers]}
    return made
