"""``topoctl route``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.chosen_network import ChosenNetwork, one_network
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.options import Settings, request_options, shared_options_but
from topoctl.cli.route_files import RouteFiles
from topoctl.measuring_requests import RouteRequest
from topoctl.report.columns import ROUTED
from topoctl.report.notes import route_notes
from topoctl.report.table import Table

TABLE = Table(ROUTED, route_notes)

EXAMPLES = """Examples:
  topoctl route 'slimfly(q=5,p=4)'
  topoctl route 'dragonfly(p=4,a=8,h=4)' --routing ecmp,valiant --traffic uniform,adversarial
  topoctl route 'torus(dims=8x8)' --routing all --traffic bitcomp,transpose,tornado --json
  topoctl route 'slimfly(q=7,p=6)' --routing ecmp,valiant,best --worst-case --best
  topoctl route network.edges --p 4 --traffic demand.csv
  topoctl route 'dragonfly(p=2,a=4,h=2)' --routing lowest --tables tables.lfts
  topoctl route --run 1 --rank 2 --routing spread --tables tables.csv --loads loads.csv

What routings and patterns there are: docs/how-to/routing.md"""

NONE = "none"


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(RouteRequest)
@shared_options_but("no_study")
def route(
    settings: Settings,
    chosen: ChosenNetwork,
    certificate: Path | None,
    channels: Path | None,
    tables: Path | None,
    loads: Path | None,
    **given: Any,
) -> None:
    """Route a network: next hops, virtual channels, and what its links carry of some traffic.

    A load is what a link carries in one direction when every endpoint sends all it can, as a share of the
    link's bandwidth; links and endpoints have the same. The throughput is the share of its bandwidth that
    every endpoint can send before the worst link is full. Tables are read back before they are said to be
    written.
    """
    import time

    from topoctl.api.routed import together
    from topoctl.api.routes import routed, routings_and_traffic
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import document

    files = RouteFiles(tables, loads, certificate, channels)
    request = RouteRequest(**{name: value for name, value in given.items() if value is not None})
    for option, file in (("certificate", certificate), ("channels", channels)):
        if file is not None and request.virtual_channels == NONE:
            raise click.UsageError(f"--{option} is of virtual channels: it excludes --vcs none")
    began = time.monotonic()
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads)
    routings, patterns = routings_and_traffic(request, topology, settings.say)
    files.check(routings)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        found = routed(request, topology, routings, patterns, threads, progress.counted, settings.say)
    files.write(found, settings.say)
    known = chosen.row(topology)
    parameters = {
        **chosen.parameters(),
        **files.parameters(),
        "routing": [record.name for record in routings],
        "traffic": [pattern.name for pattern in patterns],
        "virtual_channels": request.virtual_channels,
        "worst_case": request.worst_case,
        "best": request.best,
        "exact": request.exact,
    }
    notes = [*(record.note for record in routings), *(pattern.note for pattern in patterns)]
    made = document(
        "route",
        parameters,
        [known | one.numbers() for one in found],
        seed=request.seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        notes=together(notes),
    )
    settings.emit(made, TABLE)
