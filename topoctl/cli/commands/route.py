"""``topoctl route``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, one_network
from topoctl.cli.options import Settings, given_in, request_options, shared_options_but
from topoctl.options.route import RouteRequest
from topoctl.report.notes import route_notes
from topoctl.report.table import Table

TABLE = Table(
    (
        *("routing", "traffic", "repair", "throughput", "worst_failure_throughput", "worst_failure"),
        *("changed_entries", "changed_routers", "most_changed_entries", "max_channel_load"),
        *("mean_channel_load", "max_hops"),
        *("worst_case_throughput", "best_throughput", "best_minimal_throughput", "table_entries", "failures"),
        *("virtual_channels", "most_virtual_channels", "failures_with_more_channels", "channel_scheme"),
        *("deadlock_free", "most_loaded_link"),
    ),
    route_notes,
)

EXAMPLES = """Examples:
  topoctl route 'slimfly(q=5,p=4)'
  topoctl route 'dragonfly(p=4,a=8,h=4)' --routing ecmp,valiant --traffic uniform,adversarial
  topoctl route 'torus(dims=8x8)' --routing all --traffic bitcomp,transpose,tornado --json
  topoctl route 'slimfly(q=7,p=6)' --routing ecmp,valiant,best --worst-case --best
  topoctl route network.edges --p 4 --traffic demand.csv
  topoctl route 'dragonfly(p=2,a=4,h=2)' --routing updown-spread --tables tables.lfts
  topoctl route 'slimfly(q=5,p=4)' --routing updown-spread --failed dead.txt --tables tables.lfts
  topoctl route 'dragonfly(p=2,a=4,h=2)' --routing ecmp,spread --fail links=3,routers=1 --seed 7
  topoctl route 'torus(dims=4x4)' --fail each-link --repair least
  topoctl route --run 1 --routing updown-spread --tables tables.lfts --guids fabric.txt
  topoctl route --run 1 --rank 2 --routing spread --tables tables.csv --loads loads.csv

Every routing, pattern and scheme: topoctl glossary NAME"""


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
    guids: Path | None,
    naming: str | None,
    **given: Any,
) -> None:
    """Route a network: next hops, virtual channels, and the load of its links under traffic.

    A load is what a link carries in one direction when every endpoint sends all it can, as a share of the
    link's bandwidth; links and endpoints have the same bandwidth. The throughput is the share of its
    bandwidth that every endpoint can send before the most loaded link is full. Tables are read back before
    they are reported as written.
    """
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.route_files import RouteFiles
    from topoctl.runs.routing import route_document

    files = RouteFiles(tables, loads, certificate, channels, guids)
    request = RouteRequest(**given_in(given))
    files.check_asked(request)
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads, naming)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        made = route_document(
            request, topology, files, threads, progress.counted, settings.say, chosen.row(topology)
        )
    made["parameters"] = chosen.parameters() | {"naming": naming} | made["parameters"]
    settings.emit(made, TABLE)
