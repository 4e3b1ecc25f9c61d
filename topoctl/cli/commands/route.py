"""``topoctl route``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.commands.cable import chosen_network
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.names import Name
from topoctl.cli.network_options import concentration_option, run_option
from topoctl.cli.options import Settings, shared_options_but
from topoctl.errors import InvalidParameters
from topoctl.files import is_special, require_folder
from topoctl.report.columns import ROUTED
from topoctl.report.notes import route_notes
from topoctl.report.table import Table
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import SCHEMES
from topoctl.routing.patterns import PATTERNS

if TYPE_CHECKING:
    from topoctl.api.routes import Routed

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
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("network", metavar="SPEC|FILE|-", required=False, shell_complete=completion.networks)
@run_option("Instead of a network: a run or a group in the study, finished or not.")
@click.option(
    "--rank", type=click.IntRange(min=1), metavar="R", help="Which network of the run [default: 1]."
)
@click.option(
    "--routing",
    metavar="A,B,…|all",
    default="ecmp",
    show_default=True,
    shell_complete=completion.routings,
    help=f"How packets are routed: {', '.join(ROUTINGS)}; all of them that route the network.",
)
@click.option(
    "--traffic",
    metavar="A,B,…|all",
    default="uniform",
    show_default=True,
    shell_complete=completion.patterns,
    help=f"What endpoints send: {', '.join(PATTERNS)}, or files of a matrix; all patterns.",
)
@click.option(
    "--vcs",
    "virtual_channels",
    metavar="auto|N|SCHEME|none",
    default="auto",
    show_default=True,
    help="Virtual channels: as few as can be proven, N at most, by a scheme ("
    f"{', '.join(SCHEMES)}), or none, which leaves the proof out.",
)
@click.option(
    "--certificate",
    type=FILE,
    metavar="FILE.npz",
    help="Write the proof that packets cannot deadlock: a number of every channel, rising along every path.",
)
@click.option(
    "--tables",
    type=FILE,
    metavar="FILE",
    help="Write the next hops of all routers: .csv, .txt, .npz, or .lfts as OpenSM loads them.",
)
@click.option("--loads", type=FILE, metavar="FILE.csv", help="Write the load of every link, both ways.")
@concentration_option("Endpoints per router of a network without a spec.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="SEED",
    help="Of patterns that are drawn.",
)
@click.option(
    "--worst-case", is_flag=True, help="Find the permutation of endpoints that loads a link most (slow)."
)
@click.option(
    "--best", is_flag=True, help="Find what uniform throughput no routing passes, by linear programs (slow)."
)
@click.option("--exact", is_flag=True, help="Go through with what is refused as too much work.")
@shared_options_but("no_study")
def route(
    settings: Settings,
    network: str | None,
    name_of_run: Name | None,
    rank: int | None,
    routing: str,
    traffic: str,
    virtual_channels: str,
    certificate: Path | None,
    tables: Path | None,
    loads: Path | None,
    concentration: int | None,
    seed: int,
    worst_case: bool,
    best: bool,
    exact: bool,
) -> None:
    """Route a network: next hops, virtual channels, and what its links carry of some traffic.

    A load is what a link carries in one direction when every endpoint sends all it can, as a share of the
    link's bandwidth; links and endpoints have the same. The throughput is the share of its bandwidth that
    every endpoint can send before the worst link is full. Tables are read back before they are said to be
    written.
    """
    import time

    from topoctl.api.routes import RouteRequest
    from topoctl.kernels.backend import thread_count
    from topoctl.report.document import document
    from topoctl.report.progress import ProgressDisplay

    if (network is None) == (name_of_run is None):
        raise click.UsageError("give a network, or a run with --run")
    if rank is not None and name_of_run is None:
        raise click.UsageError("--rank is for the networks of a run: give --run ID")
    check_files(tables, loads, certificate)
    channels = channels_asked(virtual_channels)
    if certificate is not None and channels == NONE:
        raise click.UsageError("--certificate is of virtual channels: it excludes --vcs none")
    request = RouteRequest(routing, traffic, channels, worst_case, best, seed, exact)
    began = time.monotonic()
    threads = thread_count(settings.workers)
    topology = chosen_network(network, name_of_run, rank or 1, concentration, settings, threads)
    routings, patterns = request.planned(topology, settings.say)
    for option, file in (("tables", tables), ("certificate", certificate)):
        if file is not None and len(routings) != 1:
            raise click.UsageError(f"--{option} holds one routing: expected 1, not {len(routings)}")
    with ProgressDisplay(quiet=settings.quiet) as progress:
        found = request.answered(topology, routings, patterns, threads, progress.counted, settings.say)
    written(found, tables, loads, certificate, settings)
    known = {
        "spec": topology.spec,
        "file": network if topology.spec is None else None,
        "order": topology.graph.order,
        "links": topology.graph.size,
        "network_radix": topology.graph.network_radix,
        "concentration": topology.concentration,
        "endpoints": topology.endpoints,
    }
    parameters = {
        "network": network,
        "run": name_of_run and name_of_run.value,
        "rank": rank,
        "routing": [record.name for record in routings],
        "traffic": [pattern.name for pattern in patterns],
        "virtual_channels": channels,
        "certificate": certificate and str(certificate),
        "tables": tables and str(tables),
        "loads": loads and str(loads),
        "concentration": concentration,
        "worst_case": worst_case,
        "best": best,
        "exact": exact,
    }
    notes = [*(record.note for record in routings), *(pattern.note for pattern in patterns)]
    made = document(
        "route",
        parameters,
        [known | one.numbers() for one in found],
        seed=seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        notes=[note for note in notes if note],
    )
    settings.emit(made, TABLE)


def channels_asked(text: str) -> str | int:
    """A number, or a word."""
    word = text.strip().lower()
    return int(word) if re.fullmatch(r"-?\d+", word) else word


def check_files(tables: Path | None, loads: Path | None, certificate: Path | None) -> None:
    """Refuse names of files that cannot be written, before any work."""
    if tables is not None:
        from topoctl.routing.files import table_format

        if is_special(tables):
            raise click.UsageError(f"--tables {tables}: expected a file, because it is read back")
        table_format(tables)
        require_folder(tables)
    for option, file, suffix in (("loads", loads, ".csv"), ("certificate", certificate, ".npz")):
        if file is not None:
            if file.suffix.lower() != suffix:
                raise click.UsageError(f"--{option} {file}: expected a name that ends in {suffix}")
            require_folder(file)


def written(
    found: list[Routed],
    tables: Path | None,
    loads: Path | None,
    certificate: Path | None,
    settings: Settings,
) -> None:
    """Write the files that were asked for, and say so."""
    if tables is not None:
        from topoctl.routing.files import write_table
        from topoctl.routing.next_hop_table import next_hop_table

        routes = found[0].routes
        table = next_hop_table(routes)
        write_table(table, routes.topology, tables)
        each = "" if routes.through is None else " of each leg of a way"
        settings.say(f"wrote {tables}, {len(table.routers):,} next hops{each}, read back")
    if certificate is not None and found[0].channels is not None:
        proof = found[0].channels.certificate
        if proof is None:
            raise InvalidParameters(
                f"--certificate {certificate}: {found[0].routing.name} can deadlock: there is no proof"
            )
        proof.write(certificate)
        settings.say(f"wrote {certificate}, {proof.numbers.size:,} numbers, checked on every path")
    if loads is not None:
        from topoctl.routing.files.loads import write_loads

        rows = [(one.routing.name, one.traffic.name, one.carried.loads) for one in found]
        write_loads(rows, found[0].routes.topology.graph, loads)
        settings.say(f"wrote {loads}, the loads of {2 * found[0].routes.topology.graph.size:,} channels")
